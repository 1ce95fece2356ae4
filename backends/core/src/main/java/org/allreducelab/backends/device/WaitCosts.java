package org.allreducelab.backends.device;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.jspecify.annotations.Nullable;

/**
 * What it costs that ranks wait for each other, and the barrier that follows from it.
 *
 * <p>A round in which n ranks wait for all others has n(n−1) waits {@linkplain Barrier#PAIRWISE
 * pairwise} and one hop. With a {@linkplain Barrier#RELAY relay} it has 2(n−1) waits and two hops.
 * Queues of a device share what handles their waits, so waits count in all, not per rank:
 *
 * <pre>
 *   pairwise(n) =     hop + n (n−1) wait
 *   relay(n)    = 2 · hop + 2 (n−1) wait
 * </pre>
 *
 * <p>With two ranks both are two waits, and the lowering relays nothing.
 *
 * @param satisfiedUs one more wait of a submission for what has long been signalled
 * @param waitUs one more wait in a round in which all ranks wait for what is about to be signalled
 * @param hopUs from a signal to the signal of who waited for it, one submission included
 */
public record WaitCosts(double satisfiedUs, double waitUs, double hopUs) {
  private static final Pattern TEXT =
      Pattern.compile("satisfied ([0-9.]+) us, wait ([0-9.]+) us, hop ([0-9.]+) us");

  private double pairwiseUs(int ranks) {
    return hopUs + (double) ranks * (ranks - 1) * waitUs;
  }

  private double relayUs(int ranks) {
    return 2 * hopUs + 2.0 * (ranks - 1) * waitUs;
  }

  /** The cheaper barrier for rounds in which that many ranks wait for each other. */
  public Choice<Barrier> barrier(int ranks) {
    double pairwise = pairwiseUs(ranks);
    double relay = relayUs(ranks);
    return new Choice<>(
        relay < pairwise ? Barrier.RELAY : Barrier.PAIRWISE,
        String.format(
            Locale.ROOT,
            "%d ranks: pairwise %.0f µs, relay %.0f µs, from a measured hop of %.1f µs and wait of"
                + " %.2f µs",
            ranks,
            pairwise,
            relay,
            hopUs,
            waitUs));
  }

  /** The form on disk. */
  byte[] text() {
    return String.format(
            Locale.ROOT,
            "satisfied %.3f us, wait %.3f us, hop %.3f us%n",
            satisfiedUs,
            waitUs,
            hopUs)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads {@link #text()}; null for anything else. */
  static @Nullable WaitCosts parse(byte @Nullable [] text) {
    if (text == null || text.length > 1000) {
      return null;
    }
    Matcher matcher = TEXT.matcher(new String(text, StandardCharsets.US_ASCII).strip());
    if (!matcher.matches()) {
      return null;
    }
    try {
      return new WaitCosts(
          Double.parseDouble(matcher.group(1)),
          Double.parseDouble(matcher.group(2)),
          Double.parseDouble(matcher.group(3)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "a hop %.1f µs, a wait %.2f µs, a satisfied one %.2f µs",
        hopUs,
        waitUs,
        satisfiedUs);
  }
}
