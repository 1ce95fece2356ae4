package org.allreducelab.algorithms.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.ExactSum;
import org.allreducelab.algorithms.schedule.Span;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestVectorsTest {

  @Test
  void theSeedDecidesWhichKindComesFirst() {
    Set<DataKind> first = EnumSet.noneOf(DataKind.class);
    for (long seed = -6; seed < 0; seed++) {
      first.add(TestVectors.mixed(ElementType.BF16, 4, seed).kindOf(0));
    }
    assertThat(first).containsExactlyInAnyOrderElementsOf(DataKind.all());
  }

  @Test
  void sixElementsHoldAllKinds() {
    TestVectors data = TestVectors.mixed(ElementType.F32, 4, Long.MAX_VALUE);
    Set<DataKind> kinds = EnumSet.noneOf(DataKind.class);
    for (int i = Integer.MAX_VALUE - 5; i > 0; i++) {
      kinds.add(data.kindOf(i));
    }
    assertThat(kinds).containsExactlyInAnyOrderElementsOf(DataKind.all());
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void longerVectorsStartWithShorterOnes(ElementType type) {
    TestVectors data = TestVectors.mixed(type, 3, 4);
    byte[] whole = data.vector(2, 500);

    assertThat(Arrays.copyOf(whole, 77 * type.bytes())).isEqualTo(data.vector(2, 77));
    assertThat(data.window(2, new Span(77, 100)))
        .isEqualTo(Arrays.copyOfRange(whole, 77 * type.bytes(), 177 * type.bytes()));
    assertThat(type.get(whole, 321)).isEqualTo(data.bits(2, 321));
    assertThat(data.vectors(77)[2]).isEqualTo(data.vector(2, 77));
  }

  @Test
  void seedsAndRanksDiffer() {
    TestVectors data = TestVectors.of(DataKind.RANDOM_BITS, ElementType.BF16, 2, 1);

    assertThat(data.vector(0, 64)).isNotEqualTo(data.vector(1, 64));
    assertThat(TestVectors.of(DataKind.RANDOM_BITS, ElementType.BF16, 2, 2).vector(0, 64))
        .isNotEqualTo(data.vector(0, 64));
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void integersNameTheirRanks(ElementType type) {
    TestVectors data = TestVectors.of(DataKind.INTEGERS, type, 20, 9);
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      Set<Integer> distinct = new HashSet<>();
      ExactSum sum = new ExactSum();
      for (int rank = 0; rank < 20; rank++) {
        int bits = data.bits(rank, i);
        sum.add(type, bits);
        if (bits != 0) {
          seen.add(rank);
          assertThat(distinct.add(bits)).isTrue();
        }
      }
      assertThat(distinct).hasSizeBetween(4, 8);
      assertThat(sum.distanceTo(type, sum.roundTo(type))).isZero();
      assertThat(sum.distanceTo(ElementType.BF16, sum.roundTo(ElementType.BF16))).isZero();
    }
    assertThat(seen).hasSize(20);
  }

  @Test
  void gaussianDataHasItsMoments() {
    TestVectors data = TestVectors.of(DataKind.GAUSSIAN, ElementType.F32, 1, 3);
    int count = 100_000;
    double sum = 0;
    double squares = 0;
    int beyondTwo = 0;
    for (int i = 0; i < count; i++) {
      double value = Float.intBitsToFloat(data.bits(0, i));
      sum += value;
      squares += value * value;
      beyondTwo += Math.abs(value) > 2 ? 1 : 0;
    }
    assertThat(sum / count).isCloseTo(0, within(0.02));
    assertThat(squares / count).isCloseTo(1, within(0.02));
    assertThat((double) beyondTwo / count).isCloseTo(0.0455, within(0.003));
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void wideRangeCoversFortyBinades(ElementType type) {
    TestVectors data = TestVectors.of(DataKind.WIDE_RANGE, type, 1, 3);
    Set<Integer> binades = new HashSet<>();
    for (int i = 0; i < 5000; i++) {
      float value = Float.intBitsToFloat(type.widen(data.bits(0, i)));
      assertThat(value).isNotZero().isFinite();
      binades.add(Math.getExponent(value));
    }
    assertThat(binades).hasSizeGreaterThanOrEqualTo(40);
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void triplesDependOnTheOrder(ElementType type) {
    TestVectors data = TestVectors.of(DataKind.TRIPLES, type, 3, 3);
    int different = 0;
    for (int i = 0; i < 1000; i++) {
      int a = data.bits(0, i);
      int b = data.bits(1, i);
      int c = data.bits(2, i);
      different += type.add(type.add(a, b), c) != type.add(type.add(b, c), a) ? 1 : 0;
    }
    assertThat(different).isGreaterThan(150);
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void specialsHoldEverySpecialValue(ElementType type) {
    TestVectors data = TestVectors.of(DataKind.SPECIALS, type, 4, 3);
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 4000; i++) {
      for (int rank = 0; rank < 4; rank++) {
        seen.add(data.bits(rank, i));
      }
    }
    int infinity = type.infinityBits();
    int smallestNormal = 1 << (type.significandBits() - 1);
    for (int magnitude :
        new int[] {
          0,
          1,
          smallestNormal - 1,
          smallestNormal,
          infinity - 1,
          infinity,
          infinity + 1,
          type.canonicalNanBits(),
          type.canonicalNanBits() + 1,
          type.signBit() - 1
        }) {
      assertThat(seen).contains(magnitude, magnitude | type.signBit());
    }
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void mostSpecialSumsAreNoNans(ElementType type) {
    TestVectors data = TestVectors.of(DataKind.SPECIALS, type, 8, 3);
    int nans = 0;
    for (int i = 0; i < 1000; i++) {
      ExactSum sum = new ExactSum();
      for (int rank = 0; rank < 8; rank++) {
        sum.add(type, data.bits(rank, i));
      }
      nans += sum.isNan() ? 1 : 0;
    }
    assertThat(nans).isBetween(200, 450);
  }

  @Test
  void labelsAreDistinct() {
    assertThat(DataKind.all().stream().map(DataKind::label))
        .containsExactly(
            "integers", "random-bits", "gaussian", "wide-range", "triples", "specials");
  }

  @Test
  void ranksMustBePositive() {
    assertThatThrownBy(() -> TestVectors.mixed(ElementType.BF16, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ranks must be at least 1, not 0");
  }

  /** Large vectors are made in blocks, on all cores. */
  @Test
  void blocksMakeTheVectorThatOneLoopMakes() {
    for (ElementType type : ElementType.values()) {
      TestVectors data = TestVectors.mixed(type, 3, 5);
      int count = 3 * 65_536 + 5;

      byte[][] all = data.vectors(count);

      for (int rank = 0; rank < 3; rank++) {
        assertThat(all[rank]).isEqualTo(data.vector(rank, count));
      }
    }
    assertThat(TestVectors.mixed(ElementType.BF16, 2, 1).vectors(0)).isEqualTo(new byte[2][0]);
  }
}
