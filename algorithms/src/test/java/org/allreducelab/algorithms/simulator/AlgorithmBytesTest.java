package org.allreducelab.algorithms.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.DataKind;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.ErrorBound;
import org.allreducelab.algorithms.numerics.ExactSum;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.ScheduleChecker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the bytes of whole algorithms must have in common, and where they must differ. */
class AlgorithmBytesTest {
  private static final List<Precision> WIRE_IS_ELEMENT =
      List.of(Precision.BF16, Precision.BF16_F32ACC, Precision.F32);

  static List<Algorithm> algorithms() {
    List<Algorithm> all = new ArrayList<>(Algorithms.all());
    all.add(Algorithms.named("one-shot:pieces=3"));
    return all;
  }

  @Test
  void twoShotEqualsOneShot() {
    for (Precision precision : WIRE_IS_ELEMENT) {
      for (int ranks = 2; ranks <= 16; ranks++) {
        for (int count : new int[] {1, ranks, 1000}) {
          requireEqual("one-shot", "two-shot", precision, ranks, count);
        }
      }
    }
  }

  @Test
  void halvingDoublingEqualsRecursiveDoubling() {
    for (Precision precision : WIRE_IS_ELEMENT) {
      for (int ranks = 2; ranks <= 16; ranks++) {
        for (String parameters :
            List.of("", ":distance=asc", ":fold=adjacent", ":distance=asc,fold=adjacent")) {
          for (int count : new int[] {1, ranks, 1000}) {
            requireEqual(
                "halving-doubling" + parameters,
                "recursive-doubling" + parameters,
                precision,
                ranks,
                count);
          }
        }
      }
    }
  }

  @Test
  void theRingsOrderTurnsWithTheChunk() {
    for (int ranks = 2; ranks <= 8; ranks++) {
      int chunkLength = 64;
      int count = ranks * chunkLength;
      byte[][] inputs = TestVectors.mixed(ElementType.BF16, ranks, ranks).vectors(count);
      byte[] result = run("ring", Precision.BF16, inputs, count)[0];
      for (int i = 0; i < count; i++) {
        int sum = ElementType.BF16.get(inputs[i / chunkLength], i);
        for (int k = 1; k < ranks; k++) {
          byte[] next = inputs[(i / chunkLength + k) % ranks];
          sum = ElementType.BF16.add(sum, ElementType.BF16.get(next, i));
        }
        assertThat(ElementType.BF16.get(result, i)).isEqualTo(sum);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void ranksAgreeExactlyWhereTheCheckerSaysSo(Algorithm algorithm) {
    for (Precision precision : Precision.presets()) {
      for (int ranks = 2; ranks <= 9; ranks++) {
        if (precision.supportsRanks(ranks)) {
          // Without its threshold: the narrow wire matters here, not the size.
          requireAgreement(algorithm, withoutThreshold(precision), ranks);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void integersSumExactly(Algorithm algorithm) {
    for (Precision precision : Precision.presets()) {
      for (int ranks : new int[] {1, 2, 3, 5, 6, 7, 8, 13, 16, 24, 33}) {
        if (precision.supportsRanks(ranks)) {
          requireExactIntegers(algorithm, withoutThreshold(precision), ranks);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void resultsLieWithinTheErrorBound(Algorithm algorithm) {
    int count = 240;
    for (Precision preset : Precision.presets()) {
      Precision precision = withoutThreshold(preset);
      for (int ranks = 1; ranks <= 8 && precision.supportsRanks(ranks); ranks++) {
        byte[][] inputs = TestVectors.mixed(precision.element(), ranks, 17L * ranks).vectors(count);
        Schedule schedule = algorithm.plan(ranks, count);
        ReferenceSimulator simulator = new ReferenceSimulator(schedule, precision);
        requireWithin(simulator.errorBound(), precision.element(), inputs, simulator.run(inputs));
      }
    }
  }

  @Test
  void aPrefixKeepsItsBytesWhileTheVectorGrows() {
    for (String name :
        List.of(
            "halving-doubling",
            "recursive-doubling",
            "one-shot",
            "two-shot",
            "naive",
            "binomial-tree")) {
      for (Precision precision :
          List.of(Precision.BF16, Precision.BF16_F32ACC, Precision.F32, Precision.F32_BF16WIRE)) {
        for (int ranks : new int[] {2, 3, 4, 6, 7, 8}) {
          assertThat(prefixChanges(name, precision, ranks))
              .as("%s, %s, %d ranks", name, precision.name(), ranks)
              .isFalse();
        }
      }
    }
  }

  @Test
  void ringsAndTreesMayChangeTheirPrefix() {
    for (String name : List.of("ring", "bidirectional-ring", "double-binary-tree", "circulant")) {
      assertThat(prefixChanges(name, Precision.BF16, 7)).as(name).isTrue();
    }
    assertThat(prefixChanges("swing", Precision.BF16, 8)).isTrue();
  }

  private static boolean prefixChanges(String name, Precision precision, int ranks) {
    TestVectors data = TestVectors.mixed(precision.element(), ranks, 5);
    int prefix = 61 * precision.element().bytes();
    byte[][] first = run(name, precision, data.vectors(61), 61);
    for (int count : new int[] {64, 100, 257, 1000, 4099}) {
      byte[][] longer = run(name, precision, data.vectors(count), count);
      for (int rank = 0; rank < ranks; rank++) {
        if (Arrays.mismatch(first[rank], 0, prefix, longer[rank], 0, prefix) >= 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static void requireEqual(
      String name, String other, Precision precision, int ranks, int count) {
    byte[][] inputs = TestVectors.mixed(precision.element(), ranks, count).vectors(count);
    assertThat(run(name, precision, inputs, count))
        .as("%s and %s, %s, %d ranks, %d elements", name, other, precision.name(), ranks, count)
        .isDeepEqualTo(run(other, precision, inputs, count));
  }

  private static void requireAgreement(Algorithm algorithm, Precision precision, int ranks) {
    int count = 999;
    Schedule schedule = algorithm.plan(ranks, count);
    byte[][] inputs = TestVectors.mixed(precision.element(), ranks, 29).vectors(count);
    byte[][] results = new ReferenceSimulator(schedule, precision).run(inputs);
    boolean agree = Arrays.stream(results).allMatch(r -> Arrays.equals(r, results[0]));

    String what = algorithm.name() + ", " + precision.name() + ", " + ranks + " ranks";
    assertThat(agree).as(what).isEqualTo(ScheduleChecker.check(schedule, precision).identical());
    if (precision.ownOperand() == OwnOperand.WIRE) {
      assertThat(agree).as(what).isTrue();
    }
  }

  private static void requireExactIntegers(Algorithm algorithm, Precision precision, int ranks) {
    int count = 100;
    ElementType type = precision.element();
    byte[][] inputs = TestVectors.of(DataKind.INTEGERS, type, ranks, 3).vectors(count);
    byte[][] results = new ReferenceSimulator(algorithm.plan(ranks, count), precision).run(inputs);
    ExactSum sum = new ExactSum();
    for (int i = 0; i < count; i++) {
      sum.clear();
      for (byte[] input : inputs) {
        sum.add(type, type.get(input, i));
      }
      for (byte[] result : results) {
        assertThat(type.get(result, i))
            .as("%s, %s, %d ranks", algorithm.name(), precision.name(), ranks)
            .isEqualTo(sum.roundTo(type));
      }
    }
  }

  private static void requireWithin(
      ErrorBound bound, ElementType type, byte[][] inputs, byte[][] results) {
    int count = results[0].length / type.bytes();
    for (int i = 0; i < count; i++) {
      int element = i;
      int[] operands = Arrays.stream(inputs).mapToInt(v -> type.get(v, element)).toArray();
      for (byte[] result : results) {
        assertThat(bound.admits(type.get(result, i), operands))
            .as("element %d: %s", i, Arrays.toString(operands))
            .isTrue();
      }
    }
  }

  private static Precision withoutThreshold(Precision p) {
    return new Precision(
        p.name(),
        p.element(),
        p.wire(),
        p.narrowing(),
        p.accumulate(),
        p.ownOperand(),
        0,
        p.maxRanks());
  }

  private static byte[][] run(String name, Precision precision, byte[][] inputs, int count) {
    Schedule schedule = Algorithms.named(name).plan(inputs.length, count);
    return new ReferenceSimulator(schedule, precision).run(inputs);
  }
}
