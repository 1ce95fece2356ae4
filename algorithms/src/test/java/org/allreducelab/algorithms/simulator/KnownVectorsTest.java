package org.allreducelab.algorithms.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.BFloat16;
import org.allreducelab.algorithms.numerics.DenormalRule;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.ExactSum;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.VectorFile.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every column of the known vectors, through the real algorithms. */
class KnownVectorsTest {
  private static final int GRANULE = 8;

  static List<Row> rows() {
    return VectorFile.read("bf16-vectors.csv");
  }

  static List<Row> foldRuleRows() {
    return VectorFile.read("fold-rule-vectors.csv");
  }

  @Test
  void theFilesAreWhole() {
    Set<Integer> ranks = new TreeSet<>();
    rows().forEach(row -> ranks.add(row.ranks()));
    assertThat(ranks).containsExactly(2, 3, 4, 5, 6, 7, 8);
    assertThat(rows()).hasSize(74);
    assertThat(foldRuleRows()).hasSize(3);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void ordersRoundedAfterEachAdd(Row row) {
    expect(row, "naive", Precision.BF16, "expected_chain");
    expect(row, "ring", Precision.BF16, "ring_all_rotations");
    expect(row, "halving-doubling", Precision.BF16, "tree_desc_distance");
    expect(row, "recursive-doubling", Precision.BF16, "tree_desc_distance");
    expect(row, "binomial-tree", Precision.BF16, "expected_tree");
    expect(
        row,
        "recursive-doubling:distance=asc,fold=adjacent",
        Precision.BF16,
        "tree_prefold_adjacent");
    expect(row, "recursive-doubling:distance=asc,fold=high", Precision.BF16, "tree_prefold_high");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void foldsInF32(Row row) {
    expect(row, "one-shot", Precision.BF16_F32ACC, "expected_f32_seq");
    expect(row, "two-shot", Precision.BF16_F32ACC, "expected_f32_seq");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void treeOnF32Elements(Row row) {
    int[] widened = Arrays.stream(row.bits("inputs_hex")).map(BFloat16::widen).toArray();
    int[] results = run("binomial-tree", Precision.F32, widened);

    int expected = row.bits("expected_f32_tree")[0];
    assertThat(Arrays.stream(results).map(BFloat16::narrow)).containsOnly(expected);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void exactSumRoundedOnce(Row row) {
    ExactSum sum = new ExactSum();
    for (int bits : row.bits("inputs_hex")) {
      sum.add(ElementType.BF16, bits);
    }
    assertThat(sum.roundTo(ElementType.BF16)).isEqualTo(row.bits("expected_correctly_rounded")[0]);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void flushingModels(Row row) {
    expectFlushed(row, DenormalRule.FLUSH_ARITHMETIC, "ftz_daz_variant");
    expectFlushed(row, DenormalRule.FLUSH_CONVERSION, "ftz_cvt_only_variant");
    assertThat(chain(row.bits("inputs_hex"), DenormalRule.PRESERVE))
        .isEqualTo(row.bits("expected_chain")[0]);
  }

  @ParameterizedTest
  @MethodSource("foldRuleRows")
  void foldRules(Row row) {
    expect(row, "naive", Precision.BF16, "chain");
    for (String algorithm : List.of("recursive-doubling", "halving-doubling")) {
      expect(row, algorithm, Precision.BF16, "high_desc");
      expect(row, algorithm + ":distance=asc", Precision.BF16, "high_asc");
      expect(row, algorithm + ":fold=adjacent", Precision.BF16, "adjacent_desc");
      expect(row, algorithm + ":distance=asc,fold=adjacent", Precision.BF16, "adjacent_asc");
    }
  }

  /** Chunk c of every rank must hold value c of the column, or its only value. */
  private static void expect(Row row, String algorithm, Precision precision, String column) {
    int[] expected = row.bits(column);
    int[] actual = run(algorithm, precision, row.bits("inputs_hex"));
    for (int i = 0; i < actual.length; i++) {
      int chunk = i % (row.ranks() * GRANULE) / GRANULE;
      assertThat(actual[i])
          .as("%s: %s, %s, position %d", row, algorithm, column, i)
          .isEqualTo(expected[expected.length == 1 ? 0 : chunk]);
    }
  }

  /** All ranks' results, one after the other. */
  private static int[] run(String algorithm, Precision precision, int[] inputs) {
    int ranks = inputs.length;
    int count = ranks * GRANULE;
    ElementType type = precision.element();
    Schedule schedule = Algorithms.named(algorithm).plan(ranks, count, GRANULE);
    byte[][] vectors = new byte[ranks][count * type.bytes()];
    for (int rank = 0; rank < ranks; rank++) {
      for (int i = 0; i < count; i++) {
        type.put(vectors[rank], i, inputs[rank]);
      }
    }
    byte[][] results = new ReferenceSimulator(schedule, precision).run(vectors);
    int[] bits = new int[ranks * count];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = type.get(results[i / count], i % count);
    }
    return bits;
  }

  private static void expectFlushed(Row row, DenormalRule rule, String column) {
    int[] inputs = row.bits("inputs_hex");
    assertThat(chain(inputs, rule))
        .as("%s chain, %s", row, column)
        .isEqualTo(variant(row, column, "chain", "expected_chain"));
    assertThat(tree(inputs, rule))
        .as("%s tree, %s", row, column)
        .isEqualTo(variant(row, column, "tree", "expected_tree"));
    assertThat(f32Chain(inputs, rule))
        .as("%s f32, %s", row, column)
        .isEqualTo(variant(row, column, "f32", "expected_f32_seq"));
  }

  /** The value that {@code name=} has in the column, or the right one. */
  private static int variant(Row row, String column, String name, String right) {
    for (String part : row.text(column).split(";", -1)) {
      if (part.startsWith(name + "=")) {
        return Integer.parseInt(part.substring(name.length() + 1), 16);
      }
    }
    return row.bits(right)[0];
  }

  private static int chain(int[] inputs, DenormalRule rule) {
    return Arrays.stream(inputs).reduce((a, b) -> add(a, b, rule)).orElseThrow();
  }

  private static int tree(int[] inputs, DenormalRule rule) {
    int[] values = inputs.clone();
    for (int distance = 1; distance < values.length; distance *= 2) {
      for (int i = 0; i + distance < values.length; i += 2 * distance) {
        values[i] = add(values[i], values[i + distance], rule);
      }
    }
    return values[0];
  }

  private static int f32Chain(int[] inputs, DenormalRule rule) {
    int sum = Arrays.stream(inputs).map(BFloat16::widen).reduce(rule::add).orElseThrow();
    return rule.narrowToBf16(sum);
  }

  private static int add(int a, int b, DenormalRule rule) {
    return rule.narrowToBf16(rule.add(BFloat16.widen(a), BFloat16.widen(b)));
  }
}
