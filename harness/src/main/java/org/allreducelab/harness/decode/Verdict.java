package org.allreducelab.harness.decode;

import java.util.List;
import java.util.Locale;

/** What a run says about the policies of one contest, in words. */
final class Verdict {
  private Verdict() {}

  /**
   * Names the winner.
   *
   * @param ranked the decode rows of one contest, fastest first; at least one
   */
  static String of(List<DecodeRow> ranked) {
    DecodeRow best = ranked.get(0);
    if (ranked.size() == 1) {
      return String.format(
          Locale.ROOT, "%s: %s; %s", best.decodeCase().policy(), rate(best), keeping(best));
    }
    if (ranked.stream().allMatch(row -> row.staging().peakResidentBytes() == 0)) {
      return "nothing was staged, so policies decide nothing here and differ by noise alone: "
          + String.format(
              Locale.ROOT,
              "%.2f to %.2f tokens/s over all forks",
              ranked.stream().mapToDouble(DecodeRow::lowest).min().orElseThrow(),
              ranked.stream().mapToDouble(DecodeRow::highest).max().orElseThrow());
    }
    if (ranked.stream().allMatch(row -> row.tokensPerS().size() == 1)) {
      return "one fork each tells no difference: "
          + best.decodeCase().policy()
          + " has the highest rate, "
          + rate(best)
          + "; "
          + keeping(best);
    }
    List<String> level =
        ranked.stream()
            .skip(1)
            .filter(row -> row.highest() >= best.lowest())
            .map(row -> row.decodeCase().policy())
            .toList();
    DecodeRow last = ranked.get(ranked.size() - 1);
    StringBuilder text = new StringBuilder();
    if (level.isEmpty()) {
      text.append("winner: ").append(best.decodeCase().policy());
      text.append(", ").append(rate(best)).append("; ").append(keeping(best));
      text.append(", ").append(over(best, ranked.get(1)));
    } else {
      text.append("within noise of each other: ").append(best.decodeCase().policy());
      level.forEach(policy -> text.append(", ").append(policy));
      text.append(" (their forks overlap); ").append(best.decodeCase().policy());
      text.append(" has the highest median, ").append(rate(best));
      text.append("; ").append(keeping(best));
    }
    boolean lastIsOther = ranked.size() > 2 || !level.isEmpty();
    if (lastIsOther && last.highest() < best.lowest()) {
      text.append(", ").append(over(best, last));
    }
    return text.toString();
  }

  private static String rate(DecodeRow row) {
    return String.format(
        Locale.ROOT,
        "%.2f tokens/s (%.2f to %.2f over %d fork%s)",
        row.median(),
        row.lowest(),
        row.highest(),
        row.tokensPerS().size(),
        row.tokensPerS().size() == 1 ? "" : "s");
  }

  private static String keeping(DecodeRow row) {
    return String.format(
        Locale.ROOT,
        "%.0f reallocations while decoding, %.2f MiB resident at the peak of it",
        row.staging().reallocations(),
        row.staging().peakResidentBytes() / (double) (1 << 20));
  }

  /** From the least to the greatest ratio of any two forks. */
  private static String over(DecodeRow best, DecodeRow other) {
    return String.format(
        Locale.ROOT,
        "%.2f times %s (%.2f to %.2f)",
        best.median() / other.median(),
        other.decodeCase().policy(),
        best.lowest() / other.highest(),
        best.highest() / other.lowest());
  }
}
