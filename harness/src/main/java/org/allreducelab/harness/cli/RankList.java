package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Numbers of ranks as users type them: {@code 4}, {@code 2,4,8}, {@code 2-8}, {@code 2-4,8}.
 *
 * @param values in the order typed, each once
 */
public record RankList(List<Integer> values) {
  /** More ranks than any device runs; keeps a slip of the finger from filling the memory. */
  public static final int MAX = 1024;

  private static final Pattern ITEM = Pattern.compile("(-?\\d{1,18})(?:-(\\d{1,18}))?");

  public RankList {
    values = List.copyOf(values);
  }

  public static RankList of(int... ranks) {
    return new RankList(IntStream.of(ranks).boxed().collect(Collectors.toList()));
  }

  /**
   * Reads a list.
   *
   * @throws UsageException if it is malformed or a number is not in 1..{@value #MAX}
   */
  public static RankList parse(String text) {
    return parse(text, MAX);
  }

  /**
   * Reads a list.
   *
   * @throws UsageException if it is malformed or a number is not in 1..{@code most}
   */
  public static RankList parse(String text, int most) {
    LinkedHashSet<Integer> ranks = new LinkedHashSet<>();
    for (String item : text.split(",", -1)) {
      Matcher matcher = ITEM.matcher(item.strip());
      if (!matcher.matches()) {
        throw new UsageException("malformed ranks '" + text + "'; expected 4, 2,4,8 or 2-8");
      }
      int from = inRange(Long.parseLong(matcher.group(1)), most);
      int to = matcher.group(2) == null ? from : inRange(Long.parseLong(matcher.group(2)), most);
      if (to < from) {
        throw new UsageException("ranks " + from + "-" + to + ": the smaller number comes first");
      }
      for (int n = from; n <= to; n++) {
        ranks.add(n);
      }
    }
    return new RankList(new ArrayList<>(ranks));
  }

  private static int inRange(long n, int most) {
    if (n < 1 || n > most) {
      throw new UsageException("ranks must be 1 to " + most + ", not " + n);
    }
    return (int) n;
  }

  /** As users type it: runs of three and more as {@code 2-8}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); ) {
      int end = i;
      while (end + 1 < values.size() && values.get(end + 1) == values.get(end) + 1) {
        end++;
      }
      end = end - i < 2 ? i : end;
      text.append(text.length() == 0 ? "" : ",").append(values.get(i));
      if (end > i) {
        text.append('-').append(values.get(end));
      }
      i = end + 1;
    }
    return text.toString();
  }
}
