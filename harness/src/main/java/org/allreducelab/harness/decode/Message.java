package org.allreducelab.harness.decode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.staging.WindowFit;
import org.allreducelab.harness.bench.Oracle;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.Verification;

/**
 * The all-reduce of a step of one size: its collectives, one unless it is cut into windows, and
 * what must come out of them.
 */
final class Message {
  /** Makes NaNs in every element type, so a result that was not written cannot look right. */
  private static final byte POISON = (byte) 0xff;

  private final Collective[] parts;
  private final int bytes;
  private final Oracle hard;
  private final Oracle timed;

  private Message(Collective[] parts, int bytes, Oracle hard, Oracle timed) {
    this.parts = parts;
    this.bytes = bytes;
    this.hard = hard;
    this.timed = timed;
  }

  static Message prepare(
      DecodeCase decodeCase, Group group, DecodeInputs inputs, int tokens, long seed) {
    int count = decodeCase.model().count(tokens);
    Algorithm algorithm = decodeCase.windowedAlgorithm();
    int granule = decodeCase.granule();
    List<Collective> parts = new ArrayList<>();
    for (Schedule part : WindowFit.parts(algorithm, decodeCase.ranks(), count, granule)) {
      parts.add(group.prepare(part, Operands.OUT_OF_PLACE));
    }
    Schedule whole = algorithm.plan(decodeCase.ranks(), count, granule);
    return new Message(
        parts.toArray(Collective[]::new),
        count * decodeCase.precision().element().bytes(),
        new Oracle(whole, decodeCase.precision(), inputs.hard(count), seed),
        new Oracle(whole, decodeCase.precision(), inputs.timed(count), seed));
  }

  /** Starts it; allocates nothing in the steady state. */
  void enqueue() {
    for (Collective part : parts) {
      part.enqueue();
    }
  }

  /**
   * Executes it, and says how long ranks waited for each other: from the first kernel's start to
   * the last one's end, less the longest that one rank's kernels took.
   *
   * @param group asked for timestamps
   * @return nanoseconds, or {@link Timings#UNKNOWN} where devices tell no time
   */
  long waitNs(Group group) {
    long waitNs = 0;
    for (Collective part : parts) {
      part.enqueue();
      group.await();
      Timings timings = part.timings();
      if (timings.deviceNs() == Timings.UNKNOWN || timings.kernelsNs() == Timings.UNKNOWN) {
        return Timings.UNKNOWN;
      }
      waitNs += Math.max(0, timings.deviceNs() - timings.kernelsNs());
    }
    return waitNs;
  }

  Verification verifyHard(Group group) {
    return verify(group, hard);
  }

  Verification verifyTimed(Group group) {
    return verify(group, timed);
  }

  private Verification verify(Group group, Oracle oracle) {
    byte[] poison = new byte[bytes];
    Arrays.fill(poison, POISON);
    for (int rank : group.localRanks()) {
      group.write(rank, DataBuffer.RECV, poison);
    }
    enqueue();
    group.await();
    return oracle.check(group, group.localRanks());
  }

  /** Several verifications as one. */
  static Verification sum(List<Verification> found) {
    long checked = found.stream().mapToLong(Verification::checkedElements).sum();
    long wrong = found.stream().mapToLong(Verification::wrongElements).sum();
    boolean windowed = found.stream().anyMatch(Verification::windowed);
    return new Verification(wrong == 0 ? Verdict.EXACT : Verdict.WRONG, checked, wrong, windowed);
  }
}
