package org.allreducelab.algorithms.schedule;

import java.util.Arrays;

/** A set of non-negative ints in an open-addressing table, for millions of mostly equal adds. */
final class IntSet {
  private static final int FREE = -1;
  private static final int SPREAD = 0x9E3779B9;

  private int[] slots = freeSlots(64);
  private int size;

  void add(int value) {
    int slot = find(slots, value);
    if (slots[slot] == value) {
      return;
    }
    slots[slot] = value;
    if (++size * 2 > slots.length) {
      grow();
    }
  }

  int[] toSortedArray() {
    return Arrays.stream(slots).filter(v -> v != FREE).sorted().toArray();
  }

  private void grow() {
    int[] larger = freeSlots(slots.length * 2);
    for (int value : slots) {
      if (value != FREE) {
        larger[find(larger, value)] = value;
      }
    }
    slots = larger;
  }

  /** The slot that holds the value or, if none does, the free one where it belongs. */
  private static int find(int[] table, int value) {
    int mask = table.length - 1;
    int mixed = value * SPREAD;
    int slot = (mixed ^ (mixed >>> 15)) & mask;
    while (table[slot] != FREE && table[slot] != value) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static int[] freeSlots(int length) {
    int[] table = new int[length];
    Arrays.fill(table, FREE);
    return table;
  }
}
