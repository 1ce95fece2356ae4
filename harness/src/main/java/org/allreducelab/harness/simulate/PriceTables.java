package org.allreducelab.harness.simulate;

import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;
import org.allreducelab.results.Bandwidth;

/** Prices of algorithms side by side, and the sizes at which another one becomes the fastest. */
final class PriceTables {
  private final Pricer pricer;
  private final List<Algorithm> priced;
  private final Table prices =
      new Table(
          Column.number("ranks", "ranks"),
          Column.number("bytes", "bytes"),
          Column.text("algorithm", "algorithm"),
          Column.decimal("time_us", "time µs", 2),
          Column.decimal("busbw_gbs", "busbw GB/s", 2),
          Column.number("steps", "steps"),
          Column.text("priced", "priced from"),
          Column.text("emulated", "emulated"),
          Column.text("fastest", "fastest"));
  private final Table crossovers =
      new Table(
          Column.number("ranks", "ranks"),
          Column.number("bytes", "from bytes"),
          Column.text("algorithm", "fastest"),
          Column.text("before", "before"));

  PriceTables(Pricer pricer, List<Algorithm> priced) {
    this.pricer = pricer;
    this.priced = List.copyOf(priced);
  }

  /** A row per algorithm and size. */
  Table prices() {
    return prices;
  }

  /** A row per crossover. */
  Table crossovers() {
    return crossovers;
  }

  /** Adds the prices for so many ranks at sizes in elements. */
  void addPrices(int ranks, List<Integer> counts) {
    counts.forEach(count -> addPrices(ranks, count));
  }

  private void addPrices(int ranks, int count) {
    List<Price> ofCount = priced.stream().map(a -> pricer.price(a, ranks, count)).toList();
    double best = ofCount.stream().mapToDouble(Price::timeNs).min().orElse(0);
    long bytes = bytes(count);
    for (Price p : ofCount) {
      prices.row(
          ranks,
          bytes,
          p.algorithm().name(),
          p.timeNs() / 1e3,
          p.timeNs() > 0 ? Bandwidth.of(bytes, p.timeNs(), ranks).busbwGBs() : null,
          p.steps(),
          p.fromSchedule() ? "schedule" : "closed form",
          pricer.driver() != null,
          p.timeNs() == best ? "fastest" : "");
    }
  }

  /**
   * Adds the crossovers for so many ranks.
   *
   * @param counts the sizes between which they are looked for, in elements, ascending
   */
  void addCrossovers(int ranks, List<Integer> counts) {
    for (Crossovers.Crossover c : new Crossovers(pricer, priced, ranks).between(counts)) {
      crossovers.row(ranks, bytes(c.count()), c.after().name(), c.before().name());
    }
  }

  private long bytes(int count) {
    return (long) count * pricer.precision().element().bytes();
  }
}
