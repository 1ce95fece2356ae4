package org.allreducelab.backends.lowering;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A set of intervals of each rank's vector; takes no room where it is empty. */
final class IntervalSets {
  private final @Nullable BitSet[] ofRank;

  IntervalSets(int ranks) {
    ofRank = new BitSet[ranks];
  }

  void add(int rank, int interval) {
    BitSet set = ofRank[rank];
    if (set == null) {
      set = new BitSet();
      ofRank[rank] = set;
    }
    set.set(interval);
  }

  void remove(int rank, int interval) {
    BitSet set = ofRank[rank];
    if (set != null) {
      set.clear(interval);
    }
  }

  boolean contains(int rank, int interval) {
    BitSet set = ofRank[rank];
    return set != null && set.get(interval);
  }

  /** The rank's first interval from {@code from} on, or −1. */
  int next(int rank, int from) {
    BitSet set = ofRank[rank];
    return set == null ? -1 : set.nextSetBit(from);
  }
}
