package org.allreducelab.algorithms.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.DataKind;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;
import org.junit.jupiter.api.Test;

class ReferenceSimulatorTest {
  private static final Span ONE = new Span(0, 1);

  /** f32 on a truncated bf16 wire, own values exact. */
  private static final Precision TRUNCATED_EXACT =
      new Precision(
          "truncated-exact",
          ElementType.F32,
          ElementType.BF16,
          Narrowing.TRUNCATE,
          Accumulate.F32,
          OwnOperand.EXACT,
          0,
          8);

  private static final Precision F16 =
      new Precision(
          "f16",
          ElementType.F16,
          ElementType.F16,
          Narrowing.RNE,
          Accumulate.EACH_ADD,
          OwnOperand.WIRE,
          0,
          8);

  @Test
  void combinesReadTheStateBeforeTheRound() {
    Round swap = new Round(List.of(new Combine(0, ONE, 1), new Combine(1, ONE, 0)));

    assertThat(run(Precision.BF16, List.of(swap), 0x3f80, 0x4000)).containsExactly(0x4000, 0x3f80);
  }

  @Test
  void aRankMayWriteSeveralSpansInAnyOrder() {
    Round round =
        new Round(List.of(new Combine(0, new Span(2, 2), 1), new Combine(0, new Span(0, 1), 1)));
    Schedule schedule = new Schedule(2, 4, List.of(round));
    byte[][] inputs = {{1, 0, 2, 0, 3, 0, 4, 0}, {5, 0, 6, 0, 7, 0, 8, 0}};

    byte[][] results = new ReferenceSimulator(schedule, Precision.BF16).run(inputs);

    assertThat(results[0]).containsExactly(5, 0, 2, 0, 7, 0, 8, 0);
    assertThat(results[1]).isEqualTo(inputs[1]);
  }

  @Test
  void foldsLeftToRight() {
    Round forward = new Round(List.of(new Combine(0, ONE, 0, 1, 2)));
    Round backward = new Round(List.of(new Combine(0, ONE, 2, 1, 0)));

    assertThat(run(Precision.BF16, List.of(forward), 0x4380, 0x3f80, 0x3f80)[0]).isEqualTo(0x4380);
    assertThat(run(Precision.BF16, List.of(backward), 0x4380, 0x3f80, 0x3f80)[0]).isEqualTo(0x4381);
    assertThat(run(Precision.BF16_F32ACC, List.of(forward), 0x4380, 0x3f80, 0x3f80)[0])
        .isEqualTo(0x4381);
  }

  @Test
  void negativeZerosStayNegative() {
    Round round = new Round(List.of(new Combine(0, ONE, 0, 1, 2)));

    for (Precision precision : List.of(Precision.BF16, Precision.BF16_F32ACC, F16)) {
      assertThat(run(precision, List.of(round), 0x8000, 0x8000, 0x8000)[0]).isEqualTo(0x8000);
      assertThat(run(precision, List.of(round), 0x8000, 0x8000, 0)[0]).isZero();
    }
  }

  @Test
  void sumsHaveTheCanonicalNanAndCopiesKeepPayloads() {
    Round round = new Round(List.of(new Combine(0, ONE, 0, 1), new Combine(1, ONE, 0)));

    assertThat(run(Precision.BF16, List.of(round), 0xffd5, 0x3f80)).containsExactly(0x7fc0, 0xffd5);
    assertThat(run(Precision.BF16_F32ACC, List.of(round), 0x7f81, 0x3f80))
        .containsExactly(0x7fc0, 0x7f81);
    assertThat(run(F16, List.of(round), 0xfd01, 0x3c00)).containsExactly(0x7e00, 0xfd01);
    assertThat(run(Precision.F32, List.of(round), 0xff800001, 0x3f800000))
        .containsExactly(0x7fc00000, 0xff800001);
  }

  @Test
  void aNarrowerWireRoundsPeersAndMaybeOwnOperands() {
    int pi = 0x40490fdb;
    Round round = new Round(List.of(new Combine(0, ONE, 0), new Combine(1, ONE, 0)));
    Round add = new Round(List.of(new Combine(0, ONE, 1, 0), new Combine(1, ONE, 1, 0)));

    assertThat(run(Precision.F32_BF16WIRE, List.of(round), pi, 0))
        .containsExactly(0x40490000, 0x40490000);
    assertThat(run(TRUNCATED_EXACT, List.of(round), pi, 0)).containsExactly(pi, 0x40490000);
    assertThat(run(TRUNCATED_EXACT, List.of(add), 0x3f80ffff, 0x3f81ffff))
        .containsExactly(sum(0x3f810000, 0x3f80ffff), sum(0x3f81ffff, 0x3f800000));
    assertThat(run(Precision.F32_BF16WIRE, List.of(add), 0x3f80ffff, 0x3f81ffff))
        .containsExactly(sum(0x3f820000, 0x3f810000), sum(0x3f820000, 0x3f810000));
  }

  @Test
  void aNarrowerWireMakesNansCanonical() {
    Round round = new Round(List.of(new Combine(0, ONE, 0), new Combine(1, ONE, 0)));

    assertThat(run(TRUNCATED_EXACT, List.of(round), 0xff800001, 0))
        .containsExactly(0xff800001, 0x7fc00000);
    assertThat(run(Precision.F32_BF16WIRE, List.of(round), 0xff800001, 0))
        .containsExactly(0x7fc00000, 0x7fc00000);
  }

  @Test
  void oneRankCopiesBytes() {
    for (Precision precision : Precision.presets()) {
      byte[][] inputs = TestVectors.mixed(precision.element(), 1, 3).vectors(1000);
      Schedule schedule = Algorithms.named("ring").plan(1, 1000);

      assertThat(new ReferenceSimulator(schedule, precision).run(inputs)[0]).isEqualTo(inputs[0]);
    }
  }

  @Test
  void inputsAreNotModified() {
    byte[][] inputs = TestVectors.mixed(ElementType.BF16, 4, 3).vectors(100);
    byte[][] before = Arrays.stream(inputs).map(byte[]::clone).toArray(byte[][]::new);

    byte[][] results =
        new ReferenceSimulator(Algorithms.named("ring").plan(4, 100), Precision.BF16).run(inputs);

    assertThat(inputs).isDeepEqualTo(before);
    assertThat(results[0]).isNotEqualTo(inputs[0]);
  }

  @Test
  void aWindowHasTheBytesOfTheFullRun() {
    int count = 100_003;
    for (Precision precision : List.of(Precision.BF16, Precision.F32_BF16WIRE)) {
      ElementType type = precision.element();
      byte[][] inputs = TestVectors.mixed(type, 5, 11).vectors(count);
      for (String name : List.of("ring", "halving-doubling", "circulant")) {
        ReferenceSimulator simulator =
            new ReferenceSimulator(Algorithms.named(name).plan(5, count), precision);
        byte[][] full = simulator.run(inputs);
        for (Span window :
            List.of(
                new Span(0, 1),
                new Span(count, 0),
                new Span(19_990, 40_011),
                new Span(count - 7, 7))) {
          byte[][] part = simulator.run(inputs, window);
          for (int rank = 0; rank < 5; rank++) {
            assertThat(part[rank])
                .isEqualTo(
                    Arrays.copyOfRange(
                        full[rank], window.offset() * type.bytes(), window.end() * type.bytes()));
          }
        }
      }
    }
  }

  @Test
  void theWireIsWideBelowTheThreshold() {
    requireThreshold(Precision.SYCL_TRUNCATING, 32768);
    requireThreshold(Precision.VULKAN_F16WIRE, 524288);
  }

  /** Two-shot on two ranks: the owner adds its exact value to the peer's narrowed one. */
  private static void requireThreshold(Precision precision, int threshold) {
    for (int count : new int[] {threshold - 1, threshold, threshold + 1}) {
      byte[][] inputs = TestVectors.of(DataKind.GAUSSIAN, ElementType.F32, 2, count).vectors(count);
      Schedule schedule = Algorithms.named("two-shot").plan(2, count);
      Span window = new Span(16, 4096);
      byte[][] results = new ReferenceSimulator(schedule, precision).run(inputs, window);
      for (int i = 0; i < window.length(); i++) {
        int own = ElementType.F32.get(inputs[0], 16 + i);
        int peer = ElementType.F32.get(inputs[1], 16 + i);
        int owner = count < threshold ? sum(own, peer) : sum(own, onWire(precision, peer));
        int other = count < threshold ? owner : onWire(precision, owner);
        assertThat(ElementType.F32.get(results[0], i)).isEqualTo(owner);
        assertThat(ElementType.F32.get(results[1], i)).isEqualTo(other);
      }
    }
  }

  private static int onWire(Precision precision, int f32Bits) {
    ElementType wire = precision.wire();
    return wire.widen(wire.narrow(f32Bits, precision.narrowing()));
  }

  @Test
  void aThousandRanks() {
    Schedule schedule = Algorithms.named("ring").plan(1024, 2048, 1);
    TestVectors data = TestVectors.of(DataKind.INTEGERS, ElementType.F32, 1024, 5);

    byte[][] results = new ReferenceSimulator(schedule, Precision.F32).run(data.vectors(2048));

    for (int i = 0; i < 2048; i += 97) {
      int expected = ElementType.F32.get(results[0], i);
      assertThat(Float.intBitsToFloat(expected) * 256 % 255).isZero();
      assertThat(expected).isNotZero();
      assertThat(ElementType.F32.get(results[1023], i)).isEqualTo(expected);
    }
  }

  @Test
  void anEmptyVectorHasAnEmptyResult() {
    Schedule schedule = Algorithms.named("ring").plan(3, 0);

    assertThat(new ReferenceSimulator(schedule, Precision.BF16).run(new byte[3][0]))
        .isDeepEqualTo(new byte[3][0]);
  }

  @Test
  void wrongArgumentsAreNamed() {
    Schedule schedule = Algorithms.named("ring").plan(3, 10);
    assertThatThrownBy(() -> new ReferenceSimulator(schedule, Precision.SYCL_TRUNCATING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("precision sycl-truncating is defined for at most 2 ranks, not 3");

    ReferenceSimulator simulator = new ReferenceSimulator(schedule, Precision.BF16);
    assertThatThrownBy(() -> simulator.run(new byte[2][20]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the schedule has 3 ranks, not 2");
    assertThatThrownBy(() -> simulator.run(new byte[3][40]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rank 0: 10 bf16 elements are 20 bytes, not 40");
    assertThatThrownBy(() -> simulator.run(new byte[3][20], new Span(5, 6)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("beyond the 10 elements");
    assertThatThrownBy(() -> simulator.trace(new byte[3][20], 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no element 10 in a vector of 10");
  }

  private static int[] run(Precision precision, List<Round> rounds, int... inputs) {
    ElementType type = precision.element();
    byte[][] vectors = new byte[inputs.length][type.bytes()];
    for (int rank = 0; rank < inputs.length; rank++) {
      type.put(vectors[rank], 0, inputs[rank]);
    }
    Schedule schedule = new Schedule(inputs.length, 1, rounds);
    byte[][] results = new ReferenceSimulator(schedule, precision).run(vectors);
    return Arrays.stream(results).mapToInt(v -> type.get(v, 0)).toArray();
  }

  private static int sum(int a, int b) {
    return Float.floatToRawIntBits(Float.intBitsToFloat(a) + Float.intBitsToFloat(b));
  }
}
