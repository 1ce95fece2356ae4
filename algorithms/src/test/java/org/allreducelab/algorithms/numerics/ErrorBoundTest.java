package org.allreducelab.algorithms.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ErrorBoundTest {
  private static final double TINY = 1e-12;

  @Test
  void chainAndTreeDependOnTheNumberOfAdds() {
    ErrorBound chain = ErrorBound.of(Precision.BF16, 1000, 8, new RoundingDepth(7, 7, 0));
    ErrorBound tree = ErrorBound.of(Precision.BF16, 1000, 8, new RoundingDepth(3, 3, 0));

    double u = 0x1p-8;
    assertThat(chain.at(1, 100)).isCloseTo(7 * u / (1 - 7 * u) * 100, within(TINY));
    assertThat(tree.at(1, 100)).isCloseTo(3 * u / (1 - 3 * u) * 100, within(TINY));
  }

  @Test
  void aFoldInF32RoundsOnce() {
    ErrorBound once = ErrorBound.of(Precision.BF16_F32ACC, 1000, 8, new RoundingDepth(7, 1, 0));

    double gamma = 7 * 0x1p-24 / (1 - 7 * 0x1p-24);
    assertThat(once.at(2, 100)).isCloseTo(2 * 0x1p-8 + (1 + 0x1p-8) * gamma * 100, within(TINY));
  }

  @Test
  void severalFoldsInF32RoundOncePerFold() {
    ErrorBound ring = ErrorBound.of(Precision.BF16_F32ACC, 1000, 8, new RoundingDepth(7, 7, 0));
    ErrorBound each = ErrorBound.of(Precision.BF16, 1000, 8, new RoundingDepth(7, 7, 0));

    assertThat(ring.at(0, 1)).isGreaterThan(each.at(0, 1)).isLessThan(1.001 * each.at(0, 1));
  }

  @Test
  void aNarrowerWireAddsItsRoundings() {
    RoundingDepth depth = new RoundingDepth(1, 1, 2);
    double f32 = ErrorBound.of(Precision.F32, 1 << 20, 2, depth).at(1, 1);
    double nearest = ErrorBound.of(Precision.F32_BF16WIRE, 1 << 20, 2, depth).at(1, 1);
    double truncated = ErrorBound.of(Precision.SYCL_TRUNCATING, 1 << 20, 2, depth).at(1, 1);
    double f16 = ErrorBound.of(Precision.VULKAN_F16WIRE, 1 << 20, 2, depth).at(1, 1);

    assertThat(f32).isCloseTo(0x1p-24, within(1e-13));
    assertThat(nearest).isBetween(2 * 0x1p-8, 2.1 * 0x1p-8);
    assertThat(truncated).isBetween(2 * 0x1p-7, 2.1 * 0x1p-7);
    assertThat(f16).isBetween(2 * 0x1p-11, 2.1 * 0x1p-11);
  }

  @Test
  void belowTheThresholdTheWireIsWide() {
    RoundingDepth depth = new RoundingDepth(1, 1, 0);

    assertThat(ErrorBound.of(Precision.VULKAN_F16WIRE, 524287, 2, depth))
        .isEqualTo(ErrorBound.of(Precision.F32, 524287, 2, depth));
    assertThat(
            ErrorBound.of(Precision.VULKAN_F16WIRE, 524288, 2, new RoundingDepth(1, 1, 1)).at(0, 1))
        .isGreaterThan(0x1p-11);
  }

  @Test
  void subnormalsOfTheWireErrAbsolutely() {
    ErrorBound f16 =
        ErrorBound.of(Precision.VULKAN_F16WIRE, 1 << 20, 2, new RoundingDepth(1, 1, 1));

    assertThat(f16.at(0, 0)).isBetween(2 * 0x1p-25, 2.1 * 0x1p-25);
  }

  @Test
  void tooManyRoundingsSayNothing() {
    assertThat(ErrorBound.of(Precision.BF16, 8, 1024, new RoundingDepth(1023, 1023, 0)).at(1, 1))
        .isInfinite();
    assertThat(ErrorBound.of(Precision.BF16, 8, 1024, new RoundingDepth(1023, 1023, 0)).at(0, 0))
        .isZero();
  }

  @Test
  void oneRankMustBeExact() {
    ErrorBound bound = ErrorBound.of(Precision.BF16, 8, 1, new RoundingDepth(0, 0, 0));

    assertThat(bound.admits(0x3f80, 0x3f80)).isTrue();
    assertThat(bound.admits(0x3f81, 0x3f80)).isFalse();
  }

  @Test
  void admitsWhatLiesWithin() {
    // 256 + 1 + 1: exactly 258, a chain gives 256.
    int[] operands = {0x4380, 0x3f80, 0x3f80};
    ErrorBound chain = ErrorBound.of(Precision.BF16, 8, 3, new RoundingDepth(2, 2, 0));
    ErrorBound best = ErrorBound.correctlyRounded(ElementType.BF16);

    assertThat(chain.admits(0x4380, operands)).isTrue();
    assertThat(chain.admits(0x4383, operands)).isFalse();
    assertThat(best.admits(0x4381, operands)).isTrue();
    assertThat(best.admits(0x4380, operands)).isFalse();
  }

  @Test
  void specialSumsMustBeSpecial() {
    ErrorBound bound = ErrorBound.of(Precision.BF16, 8, 2, new RoundingDepth(1, 1, 0));

    assertThat(bound.admits(0x7fc1, 0x7f80, 0xff80)).isTrue();
    assertThat(bound.admits(0x7f80, 0x7f80, 0xff80)).isFalse();
    assertThat(bound.admits(0x7f80, 0x7f80, 0x3f80)).isTrue();
    assertThat(bound.admits(0xff80, 0x7f80, 0x3f80)).isFalse();
    assertThat(bound.admits(0x7fc0, 0x7f80, 0x3f80)).isFalse();
  }

  @Test
  void overflowOnTheWayIsAdmittedOnlyWhereItCanHappen() {
    ErrorBound bound = ErrorBound.of(Precision.BF16, 8, 3, new RoundingDepth(2, 2, 0));

    assertThat(bound.admits(0x7f80, 0x7f7f, 0x7f7f, 0xff7f)).isTrue();
    assertThat(bound.admits(0x7fc0, 0x7f80, 0xff7f, 0xff7f)).isTrue();
    assertThat(bound.admits(0x7f80, 0x3f80, 0x3f80, 0x3f80)).isFalse();
    assertThat(bound.admits(0x7fc0, 0x3f80, 0x3f80, 0x3f80)).isFalse();
    assertThat(bound.admits(0x3f80, 0x7f7f, 0x7f7f, 0xff7f)).isFalse();
  }

  @Test
  void aSaturatingWireMayLeaveAnyFiniteValue() {
    Precision truncating =
        new Precision(
            "t",
            ElementType.F32,
            ElementType.F16,
            Narrowing.TRUNCATE,
            Accumulate.F32,
            OwnOperand.WIRE,
            0,
            8);
    ErrorBound bound = ErrorBound.of(truncating, 8, 2, new RoundingDepth(1, 1, 1));

    int million = Float.floatToRawIntBits(1e6f);
    assertThat(bound.admits(Float.floatToRawIntBits(2 * 65504f), million, million)).isTrue();
    assertThat(bound.admits(0x41000000, 0x3f800000, 0x3f800000)).isFalse();
  }

  @Test
  void depthsAreChecked() {
    assertThatThrownBy(() -> new RoundingDepth(1, 2, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("adds 1, folds 2");
  }
}
