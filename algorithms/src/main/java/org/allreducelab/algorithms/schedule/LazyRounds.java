package org.allreducelab.algorithms.schedule;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/**
 * Rounds made on demand by a pure function, so that a schedule of millions of combines (a ring at
 * 1024 ranks has 2.1 million) need not be held in memory at once.
 */
public final class LazyRounds extends AbstractList<Round> implements RandomAccess {
  private final int size;
  private final IntFunction<Round> roundAt;

  /**
   * @param size number of rounds, ≥ 0
   * @param roundAt gives the round at an index; must return equal rounds for equal indices
   */
  public LazyRounds(int size, IntFunction<Round> roundAt) {
    if (size < 0) {
      throw new IllegalArgumentException("negative number of rounds " + size);
    }
    this.size = size;
    this.roundAt = roundAt;
  }

  @Override
  public Round get(int index) {
    return roundAt.apply(Objects.checkIndex(index, size));
  }

  @Override
  public int size() {
    return size;
  }
}
