package org.allreducelab.algorithms.cost;

import java.util.Map;
import java.util.Optional;
import org.allreducelab.algorithms.Algorithm;

/**
 * What an algorithm costs as a formula of the number of ranks n, for vectors of m bytes that all
 * its cuts divide evenly: {@code steps·α + wire·m·β + added·m·γ} with α paid per step. For numbers
 * of ranks whose schedules are too long to be looked at.
 *
 * <p>Tests compare each with the price of the schedule. Parameters of an algorithm (distance, fold)
 * change the order of additions and not these.
 *
 * @param steps rounds
 * @param wire in vectors: what the port of the busiest rank moves, summed over the rounds
 * @param added in vectors: what the busiest rank adds up, likewise
 */
public record ClosedForm(double steps, double wire, double added) {

  @FunctionalInterface
  private interface Formula {
    ClosedForm of(int n);
  }

  private static final Map<String, Formula> FORMULAS =
      Map.ofEntries(
          Map.entry("naive", n -> new ClosedForm(2, 2.0 * (n - 1), n - 1)),
          Map.entry("ring", n -> optimal(2.0 * (n - 1), n)),
          Map.entry("bidirectional-ring", n -> optimal(2.0 * (n - 1), n)),
          Map.entry("halving-doubling", ClosedForm::halving),
          Map.entry("recursive-doubling", ClosedForm::doubling),
          Map.entry("one-shot", n -> new ClosedForm(1, n - 1, n - 1)),
          Map.entry("two-shot", n -> optimal(2, n)),
          Map.entry("binomial-tree", n -> new ClosedForm(2.0 * ceil(n), 2.0 * ceil(n), ceil(n))),
          Map.entry("double-binary-tree", ClosedForm::doubleTree),
          Map.entry("swing", ClosedForm::halving),
          Map.entry("swing-latency", ClosedForm::doubling),
          Map.entry("circulant", n -> optimal(2.0 * ceil(n), n)));

  /** The least volume possible: 2(n−1)/n of the vector. */
  private static ClosedForm optimal(double steps, int n) {
    double half = (n - 1.0) / n;
    return new ClosedForm(steps, 2 * half, half);
  }

  /** The ranks beyond a power of two hand in their vectors first and get the result last. */
  private static ClosedForm framed(ClosedForm core, int n) {
    return Integer.bitCount(n) == 1
        ? core
        : new ClosedForm(core.steps + 2, core.wire + 2, core.added + 1);
  }

  private static ClosedForm halving(int n) {
    return framed(optimal(2.0 * floor(n), 1 << floor(n)), n);
  }

  private static ClosedForm doubling(int n) {
    return framed(new ClosedForm(floor(n), floor(n), floor(n)), n);
  }

  private static ClosedForm doubleTree(int n) {
    double wire = 2.0 * floor(n) - (Integer.bitCount(n) == 1 ? 1 : 0);
    return new ClosedForm(2.0 * floor(n), wire, wire / 2);
  }

  private static int floor(int n) {
    return 31 - Integer.numberOfLeadingZeros(n);
  }

  private static int ceil(int n) {
    return floor(n) + (Integer.bitCount(n) == 1 ? 0 : 1);
  }

  /**
   * The form of an algorithm, or empty where none is known.
   *
   * @param ranks ≥ 1
   */
  public static Optional<ClosedForm> of(Algorithm algorithm, int ranks) {
    if (ranks == 1) {
      return Optional.of(new ClosedForm(0, 0, 0));
    }
    Formula formula = FORMULAS.get(algorithm.name().split(":", 2)[0]);
    return formula == null ? Optional.empty() : Optional.of(formula.of(ranks));
  }

  /**
   * The time for a vector.
   *
   * @param wireBytes its size on the wire
   * @param elementBytes its size in the element type
   */
  public double timeNs(Link link, double gammaNsPerByte, long wireBytes, long elementBytes) {
    return steps * link.alphaNs()
        + wire * wireBytes * link.betaNsPerByte()
        + added * elementBytes * gammaNsPerByte;
  }
}
