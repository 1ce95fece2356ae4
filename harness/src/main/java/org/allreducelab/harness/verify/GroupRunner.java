package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.Operands;

/**
 * Runs schedules on an open group, each anew, with poisoned outputs: memory that nobody wrote
 * shows, and so does memory written beyond the vector.
 */
final class GroupRunner implements AutoCloseable {
  /** Bytes that every buffer must have beyond the longest vector. */
  static final int GUARD_BYTES = 64;

  private static final byte POISON = (byte) 0xa5;

  private final Group group;
  private final int elementBytes;

  /**
   * Runs on an open group.
   *
   * @param group its capacity holds {@link #GUARD_BYTES} more than any vector; closed with this
   */
  GroupRunner(Group group, int elementBytes) {
    this.group = group;
    this.elementBytes = elementBytes;
  }

  Group group() {
    return group;
  }

  /**
   * A run's results.
   *
   * @param vectors what the local ranks hold
   * @param overrunRank a rank whose memory beyond the vector was written, or -1
   */
  record Outcome(RankVectors vectors, int overrunRank) {}

  /** Runs a schedule once. */
  Outcome run(Schedule schedule, Operands operands, byte[][] inputs) {
    return run(schedule, operands, inputs, 1);
  }

  /** Runs a schedule several times in a row, recorded as one. */
  Outcome run(Schedule schedule, Operands operands, byte[][] inputs, int repetitions) {
    int bytes = schedule.count() * elementBytes;
    byte[] poison = new byte[bytes + GUARD_BYTES];
    Arrays.fill(poison, POISON);
    try (Collective collective = group.prepare(schedule, operands, repetitions)) {
      for (int rank : group.localRanks()) {
        group.write(rank, DataBuffer.RECV, poison);
        boolean inPlace = operands == Operands.IN_PLACE;
        group.write(rank, inPlace ? DataBuffer.RECV : DataBuffer.SEND, inputs[rank]);
      }
      collective.enqueue();
      collective.await();
    }
    int overrunRank = -1;
    List<byte[]> vectors = new ArrayList<>();
    for (int rank : group.localRanks()) {
      byte[] found = new byte[bytes + GUARD_BYTES];
      group.read(rank, DataBuffer.RECV, 0, found);
      if (overrunRank < 0
          && !Arrays.equals(found, bytes, found.length, poison, bytes, found.length)) {
        overrunRank = rank;
      }
      vectors.add(Arrays.copyOf(found, bytes));
    }
    return new Outcome(new RankVectors(group.localRanks(), vectors), overrunRank);
  }

  @Override
  public void close() {
    group.close();
  }
}
