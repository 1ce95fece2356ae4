package org.allreducelab.algorithms.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class Binary16Test {

  @Test
  void everyValueWidensToItsDefinition() {
    for (int bits = 0; bits < 0x10000; bits++) {
      if ((bits & 0x7c00) != 0x7c00) {
        double expected = ExactReference.valueOf(ElementType.F16, bits).doubleValue();
        assertThat((double) Math.abs(Binary16.toFloat(bits))).isEqualTo(Math.abs(expected));
        assertThat(Binary16.widen(bits) < 0).isEqualTo((bits & 0x8000) != 0);
      }
    }
    assertThat(Binary16.widen(0xfc00)).isEqualTo(0xff800000);
    assertThat(Binary16.widen(0x7e00)).isEqualTo(0x7fc00000);
    assertThat(Binary16.widen(0xfd55)).isEqualTo(0xffaaa000);
  }

  @Test
  void everyValueSurvivesWidening() {
    for (int bits = 0; bits < 0x10000; bits++) {
      int expected = ElementType.F16.isNan(bits) ? 0x7e00 : bits;
      assertThat(Binary16.narrow(Binary16.widen(bits))).isEqualTo(expected);
      assertThat(Binary16.truncate(Binary16.widen(bits))).isEqualTo(expected);
      assertThat(Binary16.pack(Binary16.widen(bits))).isEqualTo(bits);
    }
  }

  @Test
  void narrowingIsRightAroundEveryValueAndEveryTie() {
    for (int bits = 0; bits < 0x7c00; bits++) {
      int below = Binary16.widen(bits);
      int above = bits == 0x7bff ? 0x47800000 : Binary16.widen(bits + 1);
      int tie =
          Float.floatToRawIntBits(
              (Float.intBitsToFloat(below) + Float.intBitsToFloat(above)) * 0.5f);
      for (int near = -2; near <= 2; near++) {
        requireNarrow(below + near);
        requireNarrow(tie + near);
      }
    }
  }

  @Test
  void narrowingIsRightOnADenseSample() {
    for (long bits = 0; bits < 1L << 32; bits += 997) {
      requireNarrow((int) bits);
    }
  }

  @Test
  void overflowIsInfiniteByRoundingAndLargestByTruncation() {
    assertThat(Binary16.narrow(Float.floatToRawIntBits(65519.996f))).isEqualTo(0x7bff);
    assertThat(Binary16.narrow(Float.floatToRawIntBits(65520f))).isEqualTo(0x7c00);
    assertThat(Binary16.truncate(Float.floatToRawIntBits(-1e30f))).isEqualTo(0xfbff);
    assertThat(Binary16.truncate(0xff800000)).isEqualTo(0xfc00);
  }

  @Test
  void additionIsCorrectlyRounded() {
    ExactSum exact = new ExactSum();
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 1_000_000; i++) {
      int a = random.nextInt(0x10000);
      int b = random.nextInt(0x10000);
      exact.clear();
      exact.add(ElementType.F16, a);
      exact.add(ElementType.F16, b);
      if (Binary16.add(a, b) != exact.roundTo(ElementType.F16)
          || ElementType.F16.add(a, b) != Binary16.add(a, b)) {
        throw new AssertionError(String.format("%04X + %04X", a, b));
      }
    }
  }

  @Test
  @Tag("exhaustive")
  void narrowingIsRightForEveryFloat() {
    Floats.forAll(Binary16Test::requireNarrow);
  }

  private static void requireNarrow(int bits) {
    int nearest = Floats.round(ElementType.F16, bits, Narrowing.RNE);
    int truncated = Floats.round(ElementType.F16, bits, Narrowing.TRUNCATE);
    if (Binary16.narrow(bits) != nearest || Binary16.truncate(bits) != truncated) {
      throw new AssertionError(
          String.format(
              "f32 %08X: %04X, %04X; expected %04X, %04X",
              bits, Binary16.narrow(bits), Binary16.truncate(bits), nearest, truncated));
    }
  }
}
