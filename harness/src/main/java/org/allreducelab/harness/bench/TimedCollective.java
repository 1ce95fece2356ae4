package org.allreducelab.harness.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.allreducelab.algorithms.data.DataKind;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.Timings;
import org.allreducelab.results.TimeParts;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.Verification;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one case: a group, its inputs, and the collective that is verified, timed and
 * verified again.
 */
final class TimedCollective implements ForkRig {
  /** Makes NaNs in every element type, so a result that was not written cannot look right. */
  private static final byte POISON = (byte) 0xff;

  private final BenchCase benchCase;
  private final int inflight;
  private final Trial timed;
  private final Trial hard;
  private final Backend backend;
  private final Schedule schedule;
  private Group group;
  private Collective collective;

  /**
   * Inputs and what must come out of them.
   *
   * @param inputs a vector per rank
   * @param oracle knows the results
   */
  private record Trial(List<byte[]> inputs, Oracle oracle) {
    static Trial of(TestVectors data, BenchCase benchCase, Schedule schedule, long seed) {
      byte[][] inputs = data.vectors(schedule.count());
      Oracle oracle = new Oracle(schedule, benchCase.precision(), inputs, seed);
      return new Trial(List.of(inputs), oracle);
    }
  }

  /**
   * Opens the group, prepares the collective and writes seeded Gaussian inputs: what is timed. It
   * is verified with them, and with data of every kind, which Gaussian values cannot replace: they
   * show no wrong order of f32 additions and hold no NaN, infinity or subnormal.
   *
   * @param seed of the inputs
   */
  TimedCollective(BenchCase benchCase, Backend backend, long seed) {
    this.benchCase = benchCase;
    this.inflight = benchCase.inflight();
    this.backend = backend;
    schedule = benchCase.schedule();
    ElementType type = benchCase.precision().element();
    TestVectors gaussian = TestVectors.of(DataKind.GAUSSIAN, type, benchCase.ranks(), seed);
    timed = Trial.of(gaussian, benchCase, schedule, seed);
    hard = Trial.of(TestVectors.mixed(type, benchCase.ranks(), seed), benchCase, schedule, seed);
    group = backend.open(benchCase.groupSpec().build());
    collective = prepare(group);
  }

  private Collective prepare(Group opened) {
    try {
      write(timed, DataBuffer.SEND, opened);
      return opened.prepare(schedule, benchCase.operands(), benchCase.graph());
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /**
   * Compares every local rank's results for both kinds of input, each from poisoned outputs; the
   * timed inputs are in place afterwards.
   */
  @Override
  public Verification verify() {
    Verification hardData = verify(hard);
    Verification timedData = verify(timed);
    long wrong = hardData.wrongElements() + timedData.wrongElements();
    return new Verification(
        wrong == 0 ? Verdict.EXACT : Verdict.WRONG,
        hardData.checkedElements() + timedData.checkedElements(),
        wrong,
        timedData.windowed());
  }

  private Verification verify(Trial trial) {
    if (benchCase.inPlace()) {
      write(trial, DataBuffer.RECV);
    } else {
      write(trial, DataBuffer.SEND);
      byte[] poison = new byte[Math.toIntExact(benchCase.bytes())];
      Arrays.fill(poison, POISON);
      for (int rank : group.localRanks()) {
        group.write(rank, DataBuffer.RECV, poison);
      }
    }
    collective.enqueue();
    collective.await();
    return trial.oracle().check(group, ranksWithResult());
  }

  private List<Integer> ranksWithResult() {
    return benchCase.role() == Role.BARE ? List.of(0) : group.localRanks();
  }

  private void write(Trial trial, DataBuffer buffer) {
    write(trial, buffer, group);
  }

  private static void write(Trial trial, DataBuffer buffer, Group to) {
    for (int rank : to.localRanks()) {
      to.write(rank, buffer, trial.inputs().get(rank));
    }
  }

  /** In place, a result is the next input: writes the timed inputs again. */
  void restoreInputs() {
    write(timed, DataBuffer.RECV);
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
    return elapsedNs / inflight / collective.program().repetitions();
  }

  /** As {@link #run()}, from fresh inputs in place. */
  @Override
  public long settlingRun() {
    if (benchCase.inPlace()) {
      restoreInputs();
    }
    return run();
  }

  /**
   * Where the time of an all-reduce goes, one graph at a time; of a backend that does not measure
   * it, only what one element takes. The host's part is that of the timed objects. Then the group
   * is replaced by one that the device times too, whose bytes are compared likewise.
   *
   * @throws IllegalStateException if bytes are wrong there
   */
  TimeParts parts() {
    TimingsSample host = sample();
    Long oneElementNs =
        benchCase.role() == Role.BARE ? null : OneElement.latencyNs(group, System::nanoTime);
    if (host.median(Timings::submitNs) == null) {
      return new TimeParts(null, null, null, null, oneElementNs);
    }
    close();
    group = backend.open(benchCase.groupSpec().timestamps(true).build());
    collective = prepare(group);
    TimingsSample device = sample();
    Verification verification = verify(timed);
    if (verification.wrongElements() > 0) {
      throw new IllegalStateException(
          "wrong bytes with device timestamps: "
              + verification.wrongElements()
              + " of "
              + verification.checkedElements()
              + " elements differ from the simulator's");
    }
    return new TimeParts(
        share(host, Timings::submitNs),
        share(host, Timings::waitNs),
        share(device, Timings::deviceNs),
        share(device, Timings::kernelsNs),
        oneElementNs);
  }

  /** An all-reduce's share of a graph's part. */
  private @Nullable Long share(TimingsSample sample, ToLongFunction<Timings> part) {
    Long median = sample.median(part);
    return median == null ? null : Long.valueOf(median / collective.program().repetitions());
  }

  private TimingsSample sample() {
    return TimingsSample.take(
        () -> {
          if (benchCase.inPlace()) {
            restoreInputs();
          }
          collective.enqueue();
          collective.await();
        },
        collective::timings,
        System::nanoTime);
  }

  @Override
  public Choices choices() {
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
