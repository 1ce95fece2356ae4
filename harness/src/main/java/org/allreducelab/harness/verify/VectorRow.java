package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.harness.cli.AlgorithmList;
import org.allreducelab.harness.cli.PrecisionList;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.UsageException;

/**
 * A case with a known result: rank r's vector holds {@code inputs[r]} throughout, and chunk c of
 * every rank's result must hold {@code expected[c]}, chunks being a granule long each.
 *
 * @param where file and line
 * @param id the case's name
 * @param algorithm which algorithm
 * @param precision the arithmetic
 * @param inputs bits by rank
 * @param expected bits by chunk
 */
record VectorRow(
    String where,
    String id,
    Algorithm algorithm,
    Precision precision,
    List<Integer> inputs,
    List<Integer> expected) {

  static final List<String> COLUMNS =
      List.of("case_id", "n", "inputs_hex", "algorithm", "precision", "expected_hex");

  private static final Pattern HEX = Pattern.compile("[0-9A-Fa-f]+");

  VectorRow {
    inputs = List.copyOf(inputs);
    expected = List.copyOf(expected);
  }

  int ranks() {
    return inputs.size();
  }

  /** Bits that an element must have. */
  int expectedAt(int element, int granule) {
    return expected.get(element / granule);
  }

  /** Every rank's input. */
  byte[][] vectors(int granule) {
    ElementType type = precision.element();
    byte[][] vectors = new byte[ranks()][ranks() * granule * type.bytes()];
    for (int rank = 0; rank < vectors.length; rank++) {
      for (int element = 0; element < ranks() * granule; element++) {
        type.put(vectors[rank], element, inputs.get(rank));
      }
    }
    return vectors;
  }

  /**
   * Reads a row.
   *
   * @throws UsageException if it is malformed; the message starts with {@code where}
   */
  static VectorRow parse(String where, String line) {
    List<String> fields = CsvLines.fields(where, line);
    if (fields.size() != COLUMNS.size()) {
      throw new UsageException(
          where + ": " + fields.size() + " fields; expected " + String.join(",", COLUMNS));
    }
    try {
      List<Integer> ranks = RankList.parse(fields.get(1)).values();
      List<Algorithm> algorithms = AlgorithmList.parse(fields.get(3)).values();
      List<Precision> precisions = PrecisionList.parse(fields.get(4)).values();
      if (ranks.size() != 1 || algorithms.size() != 1 || precisions.size() != 1) {
        throw new UsageException("expected one n, one algorithm and one precision");
      }
      int n = ranks.get(0);
      Precision precision = precisions.get(0);
      if (!precision.supportsRanks(n)) {
        throw new UsageException(
            precision.name() + " is defined for at most " + precision.maxRanks() + " ranks");
      }
      List<Integer> inputs = values(COLUMNS.get(2), precision.element(), fields.get(2));
      List<Integer> expected = values(COLUMNS.get(5), precision.element(), fields.get(5));
      if (inputs.size() != n) {
        throw new UsageException(
            inputs.size() + " inputs for n = " + n + "; expected one per rank");
      }
      if (expected.size() != n && expected.size() != 1) {
        throw new UsageException(
            expected.size() + " expected values for n = " + n + "; expected one, or one per chunk");
      }
      List<Integer> byChunk = expected.size() == n ? expected : repeat(expected.get(0), n);
      return new VectorRow(where, fields.get(0), algorithms.get(0), precision, inputs, byChunk);
    } catch (UsageException e) {
      throw new UsageException(where + ": " + e.getMessage(), e);
    }
  }

  private static List<Integer> repeat(int value, int times) {
    return java.util.Collections.nCopies(times, value);
  }

  private static List<Integer> values(String column, ElementType type, String text) {
    int digits = 2 * type.bytes();
    List<Integer> values = new ArrayList<>();
    for (String value : text.split(";", -1)) {
      if (value.length() != digits || !HEX.matcher(value).matches()) {
        throw new UsageException(
            column
                + " '"
                + value
                + "' is no "
                + type.label()
                + " value; expected "
                + digits
                + " hexadecimal digits, values separated by ';'");
      }
      values.add(Integer.parseUnsignedInt(value, 16));
    }
    return values;
  }
}
