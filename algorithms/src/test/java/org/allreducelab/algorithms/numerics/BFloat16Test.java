package org.allreducelab.algorithms.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BFloat16Test {

  @Test
  void everyValueSurvivesWidening() {
    for (int bits = 0; bits < 0x10000; bits++) {
      int expected = ElementType.BF16.isNan(bits) ? 0x7fc0 : bits;
      assertThat(BFloat16.narrow(BFloat16.widen(bits))).isEqualTo(expected);
      assertThat(BFloat16.truncate(BFloat16.widen(bits))).isEqualTo(expected);
      assertThat(ElementType.BF16.pack(BFloat16.widen(bits))).isEqualTo(bits);
    }
  }

  @Test
  void roundsToNearestEven() {
    assertThat(BFloat16.narrow(0x3f808000)).isEqualTo(0x3f80);
    assertThat(BFloat16.narrow(0x3f808001)).isEqualTo(0x3f81);
    assertThat(BFloat16.narrow(0x3f818000)).isEqualTo(0x3f82);
    assertThat(BFloat16.narrow(0x3fff8000)).isEqualTo(0x4000);
    assertThat(BFloat16.narrow(0x7f7f7fff)).isEqualTo(0x7f7f);
    assertThat(BFloat16.narrow(0x7f7f8000)).isEqualTo(0x7f80);
    assertThat(BFloat16.narrow(0xff7fffff)).isEqualTo(0xff80);
    assertThat(BFloat16.narrow(0x00008000)).isZero();
    assertThat(BFloat16.narrow(0x80018000)).isEqualTo(0x8002);
    assertThat(BFloat16.narrow(0x007fffff)).isEqualTo(0x0080);
  }

  @Test
  void truncationStaysFinite() {
    assertThat(BFloat16.truncate(0x7f7fffff)).isEqualTo(0x7f7f);
    assertThat(BFloat16.truncate(0xbf80ffff)).isEqualTo(0xbf80);
    assertThat(BFloat16.truncate(0x0000ffff)).isZero();
    assertThat(BFloat16.truncate(0xff800000)).isEqualTo(0xff80);
  }

  @Test
  void nansThatTheUnguardedTrickLosesBecomeCanonical() {
    for (int nan : new int[] {0x7f800001, 0x7fffffff, 0xff800001, 0xffffffff, 0x7f808000}) {
      assertThat(BFloat16.narrow(nan)).isEqualTo(0x7fc0);
      assertThat(BFloat16.truncate(nan)).isEqualTo(0x7fc0);
    }
  }

  @Test
  void additionIsCorrectlyRoundedOnADenseSample() {
    ExactSum exact = new ExactSum();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000_000; i++) {
      int a = random.nextInt(0x10000);
      // Half of the pairs lie within 12 binades of each other, where roundings differ.
      int b = i % 2 == 0 ? random.nextInt(0x10000) : near(a, random);
      exact.clear();
      exact.add(ElementType.BF16, a);
      exact.add(ElementType.BF16, b);
      requireSum(a, b, exact.roundTo(ElementType.BF16));
    }
  }

  @Test
  void additionIsCorrectlyRoundedOnAGridOfPairs() {
    for (int a = 0; a < 0x10000; a += 13) {
      for (int b = 0; b < 0x10000; b += 17) {
        requireSum(a, b, IntegerAddition.bf16(a, b));
      }
    }
  }

  @Test
  void theIntegerReferenceAgreesWithTheDefinition() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 20_000; i++) {
      int a = finite(random.nextInt(0x10000));
      int b = finite(near(a, random));
      BigDecimal sum =
          ExactReference.valueOf(ElementType.BF16, a)
              .add(ExactReference.valueOf(ElementType.BF16, b));
      if (sum.signum() != 0) {
        assertThat(IntegerAddition.bf16(a, b))
            .isEqualTo(ExactReference.round(ElementType.BF16, sum));
      }
    }
  }

  @Test
  @Tag("exhaustive")
  void additionIsCorrectlyRoundedForEveryPair() {
    IntStream.range(0, 0x10000)
        .parallel()
        .forEach(
            a -> {
              for (int b = 0; b < 0x10000; b++) {
                requireSum(a, b, IntegerAddition.bf16(a, b));
              }
            });
  }

  @Test
  @Tag("exhaustive")
  void narrowingIsRightForEveryFloat() {
    Floats.forAll(
        bits -> {
          int nearest = Floats.round(ElementType.BF16, bits, Narrowing.RNE);
          int truncated = Floats.round(ElementType.BF16, bits, Narrowing.TRUNCATE);
          if (BFloat16.narrow(bits) != nearest || BFloat16.truncate(bits) != truncated) {
            throw new AssertionError("f32 bits " + Integer.toHexString(bits));
          }
        });
  }

  private static void requireSum(int a, int b, int expected) {
    int sum = BFloat16.add(a, b);
    if (sum != expected) {
      throw new AssertionError(
          String.format("%04X + %04X gave %04X, expected %04X", a, b, sum, expected));
    }
  }

  private static int near(int bits, SplittableRandom random) {
    int exponent = ((bits >>> 7) & 0xff) + random.nextInt(25) - 12;
    int inRange = Math.max(0, Math.min(exponent, 255));
    return (inRange << 7) | random.nextInt(0x80) | (random.nextInt(2) << 15);
  }

  private static int finite(int bits) {
    return (bits & 0x7f80) == 0x7f80 ? bits & ~0x80 : bits;
  }
}
