package org.allreducelab.harness.cli;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.allreducelab.algorithms.numerics.Precision;

/**
 * Sizes as users type them: a list of {@code 20480}, {@code 20KiB}, {@code 1MiB} and sweeps such as
 * {@code 8:64MiB:x2}, which multiplies from the first to the last.
 *
 * @param unit what the numbers count
 * @param values in the order typed, each once
 */
public record SizeList(Unit unit, List<Long> values) implements Sizes {
  /** The largest vector in bytes: one Java array. */
  public static final long MAX_BYTES = Integer.MAX_VALUE - 8L;

  /** What sizes count. */
  public enum Unit {
    BYTES(
        "bytes",
        "20KiB, 1MiB, a list 8,20KiB or a sweep 8:64MiB:x2",
        "one array, just under 2 GiB"),
    ELEMENTS("count", "1000, a list 1,9,1000 or a sweep 8:65536:x2", "one array");

    private final String label;
    private final String expected;
    private final String limit;

    Unit(String label, String expected, String limit) {
      this.label = label;
      this.expected = expected;
      this.limit = limit;
    }
  }

  private static final Pattern SIZE = Pattern.compile("(-?\\d+)(B|KiB|MiB|GiB|TiB)?");
  private static final Pattern FACTOR = Pattern.compile("x(\\d{1,9})");

  public SizeList {
    values = List.copyOf(values);
  }

  /** Reads sizes in bytes. */
  public static SizeList bytes(String text) {
    return parse(Unit.BYTES, text);
  }

  /** Reads element counts; they take no KiB. */
  public static SizeList counts(String text) {
    return parse(Unit.ELEMENTS, text);
  }

  private static SizeList parse(Unit unit, String text) {
    LinkedHashSet<Long> sizes = new LinkedHashSet<>();
    for (String item : text.split(",", -1)) {
      String[] parts = item.strip().split(":", -1);
      if (parts.length == 1) {
        sizes.add(size(unit, text, parts[0]));
      } else if (parts.length == 3) {
        sweep(unit, text, parts, sizes);
      } else {
        throw malformed(unit, text);
      }
    }
    return new SizeList(unit, new ArrayList<>(sizes));
  }

  private static void sweep(Unit unit, String text, String[] parts, LinkedHashSet<Long> into) {
    long from = size(unit, text, parts[0]);
    long to = size(unit, text, parts[1]);
    Matcher factor = FACTOR.matcher(parts[2]);
    if (!factor.matches()) {
      throw malformed(unit, text);
    }
    long by = Long.parseLong(factor.group(1));
    if (by < 2 || from < 1 || to < from) {
      throw new UsageException(
          "sweep '"
              + String.join(":", parts)
              + "' goes nowhere; expected FROM:TO:xFACTOR with 1 <= FROM <= TO and FACTOR >= 2");
    }
    for (long size = from; size <= to; size *= by) {
      into.add(size);
    }
  }

  private static long size(Unit unit, String whole, String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches() || (unit == Unit.ELEMENTS && matcher.group(2) != null)) {
      throw malformed(unit, whole);
    }
    BigInteger size =
        new BigInteger(matcher.group(1)).multiply(BigInteger.valueOf(scale(matcher.group(2))));
    if (size.signum() < 0 || size.compareTo(BigInteger.valueOf(MAX_BYTES)) > 0) {
      throw new UsageException(
          unit.label + " must be 0 to " + MAX_BYTES + " (" + unit.limit + "), not " + text);
    }
    return size.longValueExact();
  }

  private static long scale(@org.jspecify.annotations.Nullable String suffix) {
    if (suffix == null) {
      return 1;
    }
    return switch (suffix) {
      case "KiB" -> 1L << 10;
      case "MiB" -> 1L << 20;
      case "GiB" -> 1L << 30;
      case "TiB" -> 1L << 40;
      default -> 1;
    };
  }

  private static UsageException malformed(Unit unit, String text) {
    return new UsageException(
        "malformed " + unit.label + " '" + text + "'; expected " + unit.expected);
  }

  @Override
  public List<Integer> counts(int ranks, Precision precision) {
    int elementBytes = precision.element().bytes();
    List<Integer> counts = new ArrayList<>();
    for (long value : values) {
      if (unit == Unit.BYTES && value % elementBytes != 0) {
        throw new UsageException(
            value
                + " bytes are no whole number of "
                + precision.element().label()
                + " elements; expected a multiple of "
                + elementBytes);
      }
      if (unit == Unit.ELEMENTS && value > MAX_BYTES / elementBytes) {
        throw new UsageException(
            value
                + " "
                + precision.element().label()
                + " elements are more than one array holds; expected at most "
                + MAX_BYTES / elementBytes);
      }
      counts.add((int) (unit == Unit.BYTES ? value / elementBytes : value));
    }
    return counts;
  }
}
