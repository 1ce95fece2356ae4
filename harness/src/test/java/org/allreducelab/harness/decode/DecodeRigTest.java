package org.allreducelab.harness.decode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.cpu.CpuBackend;
import org.allreducelab.results.Verdict;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecodeRigTest {
  private static final Trace TURNS = Trace.named("multi-turn", 100, 8);

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  private static DecodeRig open(DecodeCase decodeCase) {
    return new DecodeRig(decodeCase, new CpuBackend(), 9);
  }

  private static List<StepSample> steps(StepSamples samples) {
    return samples.lines().stream().map(StepSample::parse).toList();
  }

  private static Histogram histogram(StepSamples samples, String name) {
    return requireNonNull(samples.named().get(name));
  }

  /** Shrinking goes with the sizes; what only grows stays; windows keep the capacity constant. */
  @ParameterizedTest
  @CsvSource({
    "grow-only, 0, 0, 25600",
    "shrink, 0, 24, 256",
    "size-classes, 0, 0, 36864",
    "split:1KiB, 0, 0, 25856",
    "fixed:4KiB, 896, 0, 4096"
  })
  void verifiedTimedAndCounted(String policy, int slice, int reallocations, long residentAtEnd) {
    DecodeCase decodeCase = DecodeCases.of(policy, slice, TURNS, DecodeCases.PLAIN);
    try (DecodeRig rig = open(decodeCase)) {
      assertThat(rig.verify().verdict()).isEqualTo(Verdict.EXACT);
      rig.warmUp();
      StepSamples samples = new StepSamples();
      rig.run(samples);
      assertThat(rig.verify().verdict()).isEqualTo(Verdict.EXACT);

      List<StepSample> steps = steps(samples);
      assertThat(steps).hasSize(12).allMatch(s -> s.elapsedNs() > 0);
      assertThat(steps.stream().map(StepSample::step)).isEqualTo(TURNS.steps());
      assertThat(steps.stream().filter(StepSample::first)).hasSize(4);
      assertThat(steps.stream().mapToLong(s -> s.staging().reallocations()).sum())
          .isEqualTo(reallocations);
      assertThat(steps.get(11).staging().residentBytes()).isEqualTo(residentAtEnd);
      assertThat(histogram(samples, "decode").getTotalCount()).isEqualTo(8);
      assertThat(histogram(samples, "first").getTotalCount()).isEqualTo(4);
      assertThat(histogram(samples, "prefill").getTotalCount()).isEqualTo(4);
      assertThat(samples.named()).doesNotContainKey("draft");
    }
  }

  @Test
  void aDeviceWithoutAClockGivesNoWaits() {
    DecodeCase decodeCase = DecodeCases.of("shrink", 0, TURNS, DecodeCases.PLAIN);
    try (DecodeRig rig = DecodeRig.timestamped(decodeCase, new CpuBackend(), 9)) {
      StepSamples samples = new StepSamples();
      rig.sampleWaits(samples);
      assertThat(samples.named()).isEmpty();
    }
  }

  @Test
  void anInactiveRankMayHoldNaN() {
    EngineModel engine = DecodeCases.engine(Await.TOKEN, 0, null, Set.of(1), 0);
    for (String policy : List.of("grow-only", "shrink", "size-classes")) {
      try (DecodeRig rig = open(DecodeCases.of(policy, 0, TURNS, engine))) {
        assertThat(rig.verify().verdict()).isEqualTo(Verdict.EXACT);
        rig.run(new StepSamples());
        assertThat(rig.verify().verdict()).isEqualTo(Verdict.EXACT);
      }
    }
  }

  @Test
  void waitingForEachGivesASamplePerAllReduce() {
    EngineModel engine = DecodeCases.engine(Await.EACH, 4_000_000, null, Set.of(), 0);
    try (DecodeRig rig = open(DecodeCases.of("grow-only", 0, TURNS, engine))) {
      StepSamples samples = new StepSamples();
      rig.run(samples);
      assertThat(histogram(samples, "decode-allreduce").getTotalCount()).isEqualTo(8 * 4);
      assertThat(histogram(samples, "prefill-allreduce").getTotalCount()).isEqualTo(4 * 4);
      assertThat(steps(samples)).allMatch(s -> s.elapsedNs() >= 4_000_000);
    }
  }

  @Test
  void computingIsPartOfAStepAndNotOfItsAllReduces() {
    EngineModel engine = DecodeCases.engine(Await.TOKEN, 8_000_000, null, Set.of(), 0);
    try (DecodeRig rig = open(DecodeCases.of("grow-only", 0, TURNS, engine))) {
      StepSamples samples = new StepSamples();
      rig.run(samples);
      assertThat(steps(samples)).allMatch(s -> s.elapsedNs() >= 8_000_000);
      long least = histogram(samples, "decode-allreduce").getMinValue();
      assertThat(least).isLessThan(8_000_000);
    }
  }

  /** 12 waits of a ring of 3 ranks, 25600 bytes resident at 1 s a MiB: 293 ms an all-reduce. */
  @Test
  void anEmulatedDriverChargesForWhatIsResident() {
    EngineModel engine =
        DecodeCases.engine(Await.TOKEN, 0, new DriverModel(100_000_000), Set.of(), 0);
    Trace trace = Trace.named("single-turn", 100, 1);
    long growNs;
    long shrinkNs;
    try (DecodeRig rig = open(DecodeCases.of("grow-only", 0, trace, engine))) {
      StepSamples samples = new StepSamples();
      rig.run(samples);
      growNs = steps(samples).get(1).elapsedNs();
    }
    try (DecodeRig rig = open(DecodeCases.of("shrink", 0, trace, engine))) {
      StepSamples samples = new StepSamples();
      rig.run(samples);
      shrinkNs = steps(samples).get(1).elapsedNs();
    }
    assertThat(growNs).isGreaterThanOrEqualTo((long) (4 * 12 * 100e6 * 25600 / (1 << 20)));
    assertThat(shrinkNs).isLessThan(growNs / 4);
  }

  @Test
  void beyondTheMemoryCapIsOneClearError() {
    EngineModel plain = DecodeCases.PLAIN;
    EngineModel capped =
        new EngineModel(Await.TOKEN, 0, null, Set.of(), 10_000, 0, plain.deadline());
    try (DecodeRig rig = open(DecodeCases.of("grow-only", 0, TURNS, capped))) {
      assertThatThrownBy(rig::verify)
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "staging policy grow-only wants 25600 bytes on a rank for a request of 25600, and at"
                  + " most 10000 are allowed");
    }
  }
}
