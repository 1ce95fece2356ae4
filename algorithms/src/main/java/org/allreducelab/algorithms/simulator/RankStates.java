package org.allreducelab.algorithms.simulator;

import java.util.Arrays;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * All ranks' values of one block of elements, as f32 bits, and the step from one round to the next.
 *
 * <p>A round's results are made aside and moved in at its end, so every combine reads the state
 * before the round.
 */
final class RankStates {
  private final FoldArithmetic arithmetic;
  private final int[][] values;
  private int[] made;
  private Span block = new Span(0, 0);

  RankStates(int ranks, int capacity, FoldArithmetic arithmetic) {
    this.arithmetic = arithmetic;
    values = new int[ranks][capacity];
    made = new int[capacity];
  }

  void load(byte[][] vectors, ElementType type, Span elements) {
    block = elements;
    for (int rank = 0; rank < values.length; rank++) {
      VectorBits.load(vectors[rank], type, elements, values[rank]);
    }
  }

  void store(byte[][] vectors, ElementType type, int firstElement) {
    for (int rank = 0; rank < values.length; rank++) {
      VectorBits.store(values[rank], vectors[rank], type, new Span(firstElement, block.length()));
    }
  }

  /** The f32 bits of the block's first element on every rank. */
  int[] firstElements() {
    return Arrays.stream(values).mapToInt(v -> v[0]).toArray();
  }

  void apply(Round round) {
    int used = 0;
    for (Combine combine : round.combines()) {
      int length = length(combine);
      if (length > 0) {
        reserve(used, length);
        arithmetic.fold(values, combine, from(combine), made, used, length);
        used += length;
      }
    }
    int taken = 0;
    for (Combine combine : round.combines()) {
      int length = length(combine);
      if (length > 0) {
        System.arraycopy(made, taken, values[combine.rank()], from(combine), length);
        taken += length;
      }
    }
  }

  /** First element of the combine in this block, relative to the block. */
  private int from(Combine combine) {
    return Math.max(combine.span().offset() - block.offset(), 0);
  }

  /** Elements of the combine in this block; not positive if there are none. */
  private int length(Combine combine) {
    Span span = combine.span();
    return Math.min(span.end(), block.end()) - Math.max(span.offset(), block.offset());
  }

  private void reserve(int used, int length) {
    if (made.length - used < length) {
      made = Arrays.copyOf(made, Math.max(2 * made.length, used + length));
    }
  }
}
