package org.allreducelab.algorithms.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExactSumTest {

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void roundsAsTheDefinitionDoes(ElementType type) {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 3000; i++) {
      int terms = 1 + random.nextInt(9);
      ExactSum sum = new ExactSum();
      BigDecimal expected = BigDecimal.ZERO;
      for (int k = 0; k < terms; k++) {
        int bits = finite(type, random);
        sum.add(type, bits);
        expected = expected.add(ExactReference.valueOf(type, bits));
      }
      if (expected.signum() != 0) {
        assertThat(sum.roundTo(type)).isEqualTo(ExactReference.round(type, expected));
        assertThat(sum.magnitude() / expected.abs().doubleValue()).isBetween(1 - 1e-15, 1 + 1e-15);
        assertThat(new BigDecimal(sum.magnitude())).isGreaterThanOrEqualTo(expected.abs());
      }
    }
  }

  @Test
  void roundsF32SumsToNarrowerTypes() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 3000; i++) {
      ExactSum sum = new ExactSum();
      BigDecimal expected = BigDecimal.ZERO;
      for (int k = 0; k < 3; k++) {
        int bits =
            Float.floatToRawIntBits(Math.scalb(random.nextInt(1 << 24), random.nextInt(40) - 50));
        sum.add(ElementType.F32, bits);
        expected = expected.add(ExactReference.valueOf(ElementType.F32, bits));
      }
      assertThat(sum.roundTo(ElementType.F16))
          .isEqualTo(ExactReference.round(ElementType.F16, expected));
      assertThat(sum.roundTo(ElementType.BF16))
          .isEqualTo(ExactReference.round(ElementType.BF16, expected));
    }
  }

  @Test
  void losesNothingBetweenTheExtremes() {
    ExactSum sum = sumOf(0x7f7fffff, 0x00000001, 0xff7fffff);

    assertThat(sum.roundTo(ElementType.F32)).isEqualTo(0x00000001);
    assertThat(sum.magnitude()).isEqualTo((double) Float.MIN_VALUE);
  }

  @Test
  void zeroIsNegativeOnlyIfEveryTermIs() {
    assertThat(sumOf(0x80000000, 0x80000000).roundTo(ElementType.F32)).isEqualTo(0x80000000);
    assertThat(sumOf(0x80000000, 0).roundTo(ElementType.F32)).isZero();
    assertThat(sumOf(0xc0400000, 0x40400000).roundTo(ElementType.F32)).isZero();
    assertThat(sumOf().roundTo(ElementType.BF16)).isEqualTo(0x8000);
  }

  @Test
  void infinitiesAndNansAreKeptApart() {
    assertThat(sumOf(0x7f800000, 0xff7fffff).roundTo(ElementType.BF16)).isEqualTo(0x7f80);
    assertThat(sumOf(0xff800000, 0x3f800000).roundTo(ElementType.F16)).isEqualTo(0xfc00);
    assertThat(sumOf(0x7f800000, 0xff800000).roundTo(ElementType.F32)).isEqualTo(0x7fc00000);
    assertThat(sumOf(0xffc12345, 0).roundTo(ElementType.F16)).isEqualTo(0x7e00);
    assertThat(sumOf(0x7f7fffff, 0x7f7fffff).roundTo(ElementType.F32)).isEqualTo(0x7f800000);
    assertThat(sumOf(0xff7fffff, 0xff7fffff).roundTo(ElementType.F16)).isEqualTo(0xfc00);
    assertThat(sumOf(0x7f800000).magnitude()).isInfinite();
    assertThat(sumOf(0x7fc00000).magnitude()).isNaN();
  }

  @Test
  void distanceIsExactOrJustAbove() {
    assertThat(sumOf(0x3f800000).distanceTo(ElementType.BF16, 0x3f81)).isEqualTo(0x1p-7);
    assertThat(sumOf(0x3f800000).distanceTo(ElementType.BF16, 0xbf80)).isEqualTo(2);
    double beyondDouble = sumOf(0x7f000000, 0x00000001).distanceTo(ElementType.F32, 0);
    assertThat(beyondDouble).isEqualTo(Math.nextUp(0x1p127));
    assertThatThrownBy(() -> sumOf(0x7f800000).distanceTo(ElementType.F32, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void clearForgetsEverything() {
    ExactSum sum = sumOf(0x7fc00000, 0x7f800000, 0xff800000, 0x3f800000);
    sum.clear();
    sum.add(ElementType.F32, 0x40000000);

    assertThat(sum.roundTo(ElementType.F32)).isEqualTo(0x40000000);
  }

  private static ExactSum sumOf(int... f32Bits) {
    ExactSum sum = new ExactSum();
    for (int bits : f32Bits) {
      sum.add(ElementType.F32, bits);
    }
    return sum;
  }

  private static int finite(ElementType type, SplittableRandom random) {
    int magnitude = random.nextInt(type.infinityBits());
    return random.nextBoolean() ? magnitude : magnitude | type.signBit();
  }
}
