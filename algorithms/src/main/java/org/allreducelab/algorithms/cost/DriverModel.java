package org.allreducelab.algorithms.cost;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a driver adds to a wait between ranks, in proportion to the staging memory that is resident
 * on the waiting rank's device.
 *
 * <p>{@code radv-visibility}: imported host memory is made visible at every timeline signal, all of
 * it, whatever the signal is about. Measured by users of two RDNA4 cards under Mesa: about 770 µs a
 * wait with 10 MiB resident instead of 30 µs, so 74 µs a MiB; the 30 µs are part of what a token
 * costs anyway. The waits of one all-reduce are served one after the other.
 *
 * <p>Nothing here has that driver: what is computed or run with a model is <em>emulated</em>.
 *
 * @param nsPerMib what a wait costs for each resident MiB
 */
public record DriverModel(double nsPerMib) {
  /** The name users type. */
  public static final String NAME = "radv-visibility";

  private static final double DEFAULT_NS_PER_MIB = 74_000;
  private static final Pattern TEXT =
      Pattern.compile("radv-visibility(?::perMiB=(\\d{1,9}(?:\\.\\d{1,3})?)(ns|us|ms))?");

  /**
   * @throws IllegalArgumentException if the time is negative or not finite
   */
  public DriverModel {
    if (!(nsPerMib >= 0 && nsPerMib < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a wait must cost at least 0 ns a MiB, not " + nsPerMib);
    }
  }

  /**
   * Reads {@code radv-visibility} or {@code radv-visibility:perMiB=74us}.
   *
   * @throws IllegalArgumentException if it is written otherwise
   */
  public static DriverModel parse(String text) {
    Matcher m = TEXT.matcher(text);
    if (!m.matches()) {
      if (text.startsWith(NAME + ":")) {
        throw new IllegalArgumentException(
            "malformed parameter of "
                + NAME
                + ": '"
                + text.substring(NAME.length() + 1)
                + "'; expected what a wait costs for each resident MiB, at least 0, with ns, us or"
                + " ms: perMiB=74us");
      }
      throw new IllegalArgumentException(
          "unknown driver model '" + text + "'; known: radv-visibility[:perMiB=74us]");
    }
    if (m.group(1) == null) {
      return new DriverModel(DEFAULT_NS_PER_MIB);
    }
    double scale =
        switch (m.group(2)) {
          case "ns" -> 1;
          case "us" -> 1e3;
          default -> 1e6;
        };
    return new DriverModel(Double.parseDouble(m.group(1)) * scale);
  }

  /** The name with its parameter where that is not the default. */
  public String name() {
    return nsPerMib == DEFAULT_NS_PER_MIB
        ? NAME
        : String.format(Locale.ROOT, "%s:perMiB=%.0fns", NAME, nsPerMib);
  }

  /** What one wait takes while so much is resident, in nanoseconds. */
  public double waitNs(long residentBytes) {
    return nsPerMib * residentBytes / (1 << 20);
  }
}
