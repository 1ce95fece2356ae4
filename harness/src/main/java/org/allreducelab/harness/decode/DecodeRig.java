package org.allreducelab.harness.decode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.Pause;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.staging.StagingStats;
import org.allreducelab.harness.bench.ForkRig;
import org.allreducelab.results.Verification;

/** The objects of one case: a group, a message for each size of the trace, and the loop. */
final class DecodeRig implements ForkRig {
  /** All-reduces of each size whose waits are sampled, and how many go before. */
  private static final int WAITS = 64;

  private static final int WAITS_BEFORE = 8;

  private final DecodeCase decodeCase;
  private final Group group;
  private final DecodeInputs inputs;

  /** By tokens. */
  private final Map<Integer, Message> messages = new LinkedHashMap<>();

  private final long gapNs;
  private final StepClock clock;

  /**
   * Opens the group and prepares a message for each size.
   *
   * @param seed of the inputs
   */
  DecodeRig(DecodeCase decodeCase, Backend backend, long seed) {
    this(decodeCase, backend, seed, false);
  }

  /** One whose devices tell when kernels start and end, which takes time itself. */
  static DecodeRig timestamped(DecodeCase decodeCase, Backend backend, long seed) {
    return new DecodeRig(decodeCase, backend, seed, true);
  }

  private DecodeRig(DecodeCase decodeCase, Backend backend, long seed, boolean timestamps) {
    this.decodeCase = decodeCase;
    gapNs = decodeCase.engine().computeNs() / decodeCase.model().allReduces();
    clock = StepClock.of(decodeCase.engine().rate());
    inputs = DecodeInputs.of(decodeCase, seed);
    group = backend.open(decodeCase.groupSpec(decodeCase.bytes()).timestamps(timestamps).build());
    try {
      for (int tokens : decodeCase.trace().sizes()) {
        messages.put(tokens, Message.prepare(decodeCase, group, inputs, tokens, seed));
      }
      inputs.writeTimed(group);
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
  }

  /** Compares every local rank's results of every size; the timed inputs are in place after it. */
  @Override
  public Verification verify() {
    List<Verification> found = new ArrayList<>();
    inputs.writeHard(group);
    messages.values().forEach(m -> found.add(m.verifyHard(group)));
    inputs.writeTimed(group);
    messages.values().forEach(m -> found.add(m.verifyTimed(group)));
    return Message.sum(found);
  }

  /**
   * The smallest step without its computing: what has to be compiled.
   *
   * @return how long it took, in nanoseconds
   */
  @Override
  public long settlingRun() {
    Message smallest = messages.values().iterator().next();
    long start = System.nanoTime();
    for (int i = 0; i < decodeCase.model().allReduces(); i++) {
      smallest.enqueue();
    }
    group.await();
    return System.nanoTime() - start;
  }

  /** Each size once, largest first, so that the last capacity is that of the smallest. */
  void warmUp() {
    StepSamples discarded = new StepSamples();
    List<Integer> sizes = decodeCase.trace().sizes();
    for (int i = sizes.size() - 1; i >= 0; i--) {
      runAllReduces(message(sizes.get(i)), discarded, Phase.DECODE);
    }
  }

  /** The trace, with a sample of every step. */
  void run(StepSamples samples) {
    Trace trace = decodeCase.trace();
    clock.start();
    for (int i = 0; i < trace.steps().size(); i++) {
      Step step = trace.steps().get(i);
      Message message = message(step.tokens());
      long dueNs = clock.awaitStart(i);
      StagingStats before = group.staging();
      long startNs = System.nanoTime();
      runAllReduces(message, samples, step.phase());
      long endNs = System.nanoTime();
      samples.add(
          new StepSample(
              i,
              step,
              trace.firstAfterPrefill(i),
              startNs - clock.startNs(),
              endNs - startNs,
              endNs - dueNs,
              StagingChange.between(before, group.staging())),
          decodeCase.engine().await() == Await.TOKEN
              ? Math.max(0, endNs - startNs - gapNs * decodeCase.model().allReduces())
                  / decodeCase.model().allReduces()
              : StepSamples.ALREADY_ADDED);
    }
    samples.endPass();
  }

  /**
   * A sample of each size's waits, largest first, so that as much staging memory is resident as the
   * policy keeps. Nothing where devices tell no time.
   */
  void sampleWaits(StepSamples samples) {
    List<Integer> sizes = decodeCase.trace().sizes();
    for (int i = sizes.size() - 1; i >= 0; i--) {
      int tokens = sizes.get(i);
      List<Phase> phases =
          decodeCase.trace().steps().stream()
              .filter(step -> step.tokens() == tokens)
              .map(Step::phase)
              .distinct()
              .toList();
      for (int k = -WAITS_BEFORE; k < WAITS; k++) {
        long waitNs = message(tokens).waitNs(group);
        if (waitNs == Timings.UNKNOWN) {
          return;
        }
        for (Phase phase : k < 0 ? List.<Phase>of() : phases) {
          samples.addWait(phase, waitNs);
        }
      }
    }
  }

  private Message message(int tokens) {
    Message message = messages.get(tokens);
    if (message == null) {
      throw new IllegalStateException("no message of " + tokens + " tokens");
    }
    return message;
  }

  private void runAllReduces(Message message, StepSamples samples, Phase phase) {
    if (decodeCase.engine().await() == Await.EACH) {
      runOneByOne(message, samples, phase);
      return;
    }
    for (int i = 0; i < decodeCase.model().allReduces(); i++) {
      if (gapNs > 0) {
        group.compute(gapNs);
      }
      message.enqueue();
    }
    group.await();
  }

  /** The host computes here: it waits in between anyway. */
  private void runOneByOne(Message message, StepSamples samples, Phase phase) {
    for (int i = 0; i < decodeCase.model().allReduces(); i++) {
      if (gapNs > 0) {
        Pause.until(System.nanoTime() + gapNs);
      }
      long startNs = System.nanoTime();
      message.enqueue();
      group.await();
      samples.addAllReduce(phase, System.nanoTime() - startNs);
    }
  }

  @Override
  public Choices choices() {
    return group.choices();
  }

  @Override
  public void close() {
    group.close();
  }
}
