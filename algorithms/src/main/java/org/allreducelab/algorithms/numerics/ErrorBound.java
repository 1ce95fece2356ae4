package org.allreducelab.algorithms.numerics;

/**
 * How far a sum of n values may lie from the exact one, whatever the order of the additions.
 *
 * <p>With s the exact sum, S = Σ|x_i|, γ_k = k·u/(1 - k·u), u the element's unit round-off and u' =
 * 2^-24:
 *
 * <ul>
 *   <li>rounded after each add: γ_adds·S (n - 1 adds for a chain, ⌈log2 n⌉ for a tree)
 *   <li>folded in f32, one fold: u·|s| + (1 + u)·γ'_adds·S
 *   <li>folded in f32, several folds: ((1 + γ_folds)(1 + γ'_adds) - 1)·S
 *   <li>f32 elements: γ'_adds·S; a narrower wire multiplies 1 + error by 1 + γ_w(u_wire), w being
 *       the wire roundings. u_wire is doubled for truncation. Values below the wire type's normal
 *       range add at most one (truncation) or one half (nearest) of its smallest value each.
 * </ul>
 *
 * Source: N. Higham, Accuracy and Stability of Numerical Algorithms, chapters 3 and 4. An addition
 * never errs in the subnormal range, so only the wire needs the absolute part. Where k·u reaches 1
 * the bound is infinite: it says nothing.
 *
 * @param ofAbsoluteSum factor of S
 * @param ofSum factor of |s|
 * @param absolute the part that does not depend on the values
 * @param element type of the result
 * @param largest no intermediate value may exceed this, or it overflows
 * @param saturates whether an overflow may leave a finite value, as binary16 by truncation does
 */
public record ErrorBound(
    double ofAbsoluteSum,
    double ofSum,
    double absolute,
    ElementType element,
    double largest,
    boolean saturates) {

  /** Covers the rounding of the bound's own double arithmetic. */
  private static final double SLACK = 1 + 0x1p-48;

  /** The bound for an all-reduce of {@code ranks} vectors of {@code count} elements. */
  public static ErrorBound of(Precision precision, int count, int ranks, RoundingDepth depth) {
    ElementType element = precision.element();
    double u = element.unitRoundoff();
    double f32 = gamma(depth.adds(), ElementType.F32.unitRoundoff());
    if (element != ElementType.F32) {
      if (precision.accumulate() == Accumulate.EACH_ADD) {
        return plain(gamma(depth.adds(), u), 0, element);
      }
      return depth.folds() <= 1
          ? plain((1 + u) * f32, depth.folds() * u, element)
          : plain(compound(gamma(depth.folds(), u), f32), 0, element);
    }
    if (!precision.narrowsWire(count)) {
      return plain(f32, 0, element);
    }
    return narrowedWire(precision, ranks, depth, f32);
  }

  /** The bound that only the correctly rounded exact sum is sure to meet: u·|s|. */
  public static ErrorBound correctlyRounded(ElementType element) {
    return plain(0, element.unitRoundoff(), element);
  }

  /**
   * The bound in the unit of the values.
   *
   * @param sum |s|
   * @param absoluteSum S
   */
  public double at(double sum, double absoluteSum) {
    return (times(ofAbsoluteSum, absoluteSum) + times(ofSum, sum) + absolute) * SLACK;
  }

  /**
   * Whether a result is within the bound.
   *
   * <p>A NaN sum must be NaN and an infinite one that infinity. An infinite or NaN result of finite
   * values is admitted only where S is so large that some order of additions overflows. A finite
   * result never overflowed on its way (unless a wire saturates), so there the bound holds as it
   * is.
   *
   * @param result bits of the result
   * @param operands bits of the values that were summed, in any order
   */
  public boolean admits(int result, int... operands) {
    ExactSum sum = new ExactSum();
    ExactSum finiteMagnitudes = new ExactSum();
    for (int operand : operands) {
      sum.add(element, operand);
      if (isFinite(operand)) {
        finiteMagnitudes.addMagnitude(element, operand);
      }
    }
    if (sum.isNan()) {
      return element.isNan(result);
    }
    double total = finiteMagnitudes.magnitude();
    boolean mayOverflow = times(1 + ofAbsoluteSum + ofSum, total) + absolute >= largest;
    if (!sum.isFinite()) {
      return result == sum.roundTo(element) || (element.isNan(result) && mayOverflow);
    }
    if (mayOverflow && (saturates || !isFinite(result))) {
      return true;
    }
    return isFinite(result) && isWithin(result, sum, total);
  }

  private boolean isWithin(int result, ExactSum sum, double total) {
    return sum.distanceTo(element, result) <= at(sum.magnitude(), total);
  }

  private boolean isFinite(int bits) {
    return (bits & (element.signBit() - 1)) < element.infinityBits();
  }

  private static ErrorBound plain(double ofAbsoluteSum, double ofSum, ElementType element) {
    return new ErrorBound(ofAbsoluteSum, ofSum, 0, element, element.maxValue(), false);
  }

  private static ErrorBound narrowedWire(
      Precision precision, int ranks, RoundingDepth depth, double f32) {
    ElementType wire = precision.wire();
    double units = precision.narrowing() == Narrowing.TRUNCATE ? 2 : 1;
    double wireError = gamma(depth.wireRoundings(), units * wire.unitRoundoff());
    double relative = compound(wireError, f32);
    double smallest = Math.scalb(units / 2, wire.smallestExponent());
    double absolute = times(smallest * ranks * depth.wireRoundings(), 1 + relative);
    boolean saturates = units > 1 && wire == ElementType.F16;
    return new ErrorBound(relative, 0, absolute, precision.element(), wire.maxValue(), saturates);
  }

  private static double gamma(int roundings, double u) {
    double total = roundings * u;
    return total < 1 ? total / (1 - total) : Double.POSITIVE_INFINITY;
  }

  private static double compound(double a, double b) {
    return a + b + times(a, b);
  }

  /** A product in which nothing times infinity is nothing. */
  private static double times(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
  }
}
