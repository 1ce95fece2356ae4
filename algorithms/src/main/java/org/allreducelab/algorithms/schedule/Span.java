package org.allreducelab.algorithms.schedule;

/**
 * A contiguous range of vector elements, {@code [offset, offset + length)}.
 *
 * @param offset first element, ≥ 0
 * @param length number of elements, ≥ 0; an empty span is allowed and moves nothing
 */
public record Span(int offset, int length) {

  /**
   * @throws IllegalArgumentException if either part is negative or the end overflows an int
   */
  public Span {
    if (offset < 0 || length < 0 || offset > Integer.MAX_VALUE - length) {
      throw new IllegalArgumentException("not a span: offset " + offset + ", length " + length);
    }
  }

  /** The span {@code [from, to)}. */
  public static Span between(int from, int to) {
    return new Span(from, to - from);
  }

  /** First element after the span. */
  public int end() {
    return offset + length;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  /** Whether the two spans share an element. An empty span shares none. */
  public boolean overlaps(Span other) {
    return intersectionLength(other) > 0;
  }

  /** The shared elements, an empty span when there are none. */
  public Span intersect(Span other) {
    int from = Math.max(offset, other.offset);
    return new Span(from, Math.max(0, Math.min(end(), other.end()) - from));
  }

  private int intersectionLength(Span other) {
    return Math.min(end(), other.end()) - Math.max(offset, other.offset);
  }
}
