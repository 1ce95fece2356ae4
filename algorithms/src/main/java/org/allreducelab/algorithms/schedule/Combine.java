package org.allreducelab.algorithms.schedule;

import java.util.Arrays;

/**
 * One step of one rank: on {@code rank}, {@code span} becomes the left-to-right fold of the operand
 * ranks' values of the same span, <em>as they were at the start of the round</em>.
 *
 * <p>One operand is a copy. An operand equal to {@code rank} is the rank's own value. This is a
 * pull form: whether a peer's value is read in place or staged first is a matter of lowering.
 */
public final class Combine {
  private final int rank;
  private final Span span;
  private final int[] operands;

  /**
   * @param rank the rank that writes, ≥ 0
   * @param span the elements it writes
   * @param operands the ranks whose values are folded, in order; at least one; copied
   * @throws IllegalArgumentException if a rank is negative or there is no operand
   */
  public Combine(int rank, Span span, int... operands) {
    if (rank < 0) {
      throw new IllegalArgumentException("negative rank " + rank);
    }
    if (operands.length == 0) {
      throw new IllegalArgumentException("rank " + rank + ": a combine needs an operand");
    }
    for (int operand : operands) {
      if (operand < 0) {
        throw new IllegalArgumentException("rank " + rank + ": negative operand " + operand);
      }
    }
    this.rank = rank;
    this.span = span;
    this.operands = operands.clone();
  }

  public int rank() {
    return rank;
  }

  public Span span() {
    return span;
  }

  public int operandCount() {
    return operands.length;
  }

  /** The rank whose value is folded at position {@code index}. */
  public int operand(int index) {
    return operands[index];
  }

  /** All operand ranks in fold order, as a copy. */
  public int[] operands() {
    return operands.clone();
  }

  /** How many operands come from other ranks: each brings one span over the wire. */
  public int remoteOperandCount() {
    int remote = 0;
    for (int operand : operands) {
      if (operand != rank) {
        remote++;
      }
    }
    return remote;
  }

  /** Whether this is a copy from one rank. */
  public boolean isCopy() {
    return operands.length == 1;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Combine c
        && rank == c.rank
        && span.equals(c.span)
        && Arrays.equals(operands, c.operands);
  }

  @Override
  public int hashCode() {
    return (rank * 31 + span.hashCode()) * 31 + Arrays.hashCode(operands);
  }

  @Override
  public String toString() {
    return "rank "
        + rank
        + " ["
        + span.offset()
        + ","
        + span.end()
        + ") <- "
        + Arrays.toString(operands);
  }
}
