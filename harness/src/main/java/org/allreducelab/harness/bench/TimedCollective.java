package org.allreducelab.harness.bench;

import java.util.Arrays;
import org.allreducelab.algorithms.data.DataKind;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.results.Verification;

/**
 * The objects of one case: a group, its inputs, and the collective that is verified, timed and
 * verified again.
 */
final class TimedCollective implements AutoCloseable {
  /** Makes NaNs in every element type, so a result that was not written cannot look right. */
  private static final byte POISON = (byte) 0xff;

  private final BenchCase benchCase;
  private final int inflight;
  private final byte[][] inputs;
  private final Oracle oracle;
  private final Group group;
  private final Collective collective;

  /**
   * Opens the group, prepares the collective and writes seeded Gaussian inputs.
   *
   * @param seed of the inputs
   */
  TimedCollective(BenchCase benchCase, Backend backend, long seed) {
    this.benchCase = benchCase;
    this.inflight = benchCase.inflight();
    Schedule schedule = benchCase.schedule();
    inputs =
        TestVectors.of(DataKind.GAUSSIAN, benchCase.precision().element(), benchCase.ranks(), seed)
            .vectors(schedule.count());
    oracle = new Oracle(schedule, benchCase.precision(), inputs, seed);
    group = backend.open(benchCase.groupSpec());
    try {
      for (int rank : group.localRanks()) {
        group.write(rank, DataBuffer.SEND, inputs[rank]);
      }
      collective = group.prepare(schedule, benchCase.operands());
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
  }

  /** Runs once on poisoned outputs and compares every local rank's result. */
  Verification verify() {
    if (benchCase.inPlace()) {
      restoreInputs();
    } else {
      byte[] poison = new byte[Math.toIntExact(benchCase.bytes())];
      Arrays.fill(poison, POISON);
      for (int rank : group.localRanks()) {
        group.write(rank, DataBuffer.RECV, poison);
      }
    }
    collective.enqueue();
    collective.await();
    return oracle.check(group);
  }

  /** In place, a result is the next input: writes the first inputs again. */
  void restoreInputs() {
    for (int rank : group.localRanks()) {
      group.write(rank, DataBuffer.RECV, inputs[rank]);
    }
  }

  /**
   * The timed part: from the call of {@code enqueue()} until completion was seen on all ranks.
   *
   * @return nanoseconds per all-reduce
   */
  long run() {
    long start = System.nanoTime();
    for (int i = 0; i < inflight; i++) {
      collective.enqueue();
    }
    collective.await();
    long elapsedNs = System.nanoTime() - start;
    return inflight == 1 ? elapsedNs : elapsedNs / inflight;
  }

  /** As {@link #run()}, from fresh inputs in place. */
  long settlingRun() {
    if (benchCase.inPlace()) {
      restoreInputs();
    }
    return run();
  }

  Choices choices() {
    return group.choices();
  }

  @Override
  public void close() {
    try {
      collective.close();
    } finally {
      group.close();
    }
  }
}
