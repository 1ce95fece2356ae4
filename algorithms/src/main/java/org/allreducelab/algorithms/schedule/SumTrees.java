package org.allreducelab.algorithms.schedule;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Hash-consed expression trees over the ranks' inputs: equal trees have equal ids. Addition is
 * commutative, so (a, b) and (b, a) are one tree; it is not associative, so the shape counts.
 *
 * <p>Besides its shape a tree knows how many leaves it has and the sum, modulo 2^128, of random
 * labels of its leaves. Two trees over different multisets of ranks have equal sums with a
 * probability of about 2^-128, whatever their shapes.
 */
final class SumTrees {
  private static final int LEAF = -1;
  private static final int ROUNDED = -2;
  private static final int WIRED = -3;
  private static final long LABEL_SEED = 0x414C4C5245445543L;

  private final int ranks;
  private int size;

  /**
   * Of an addition: both operands. Of a leaf or a conversion: the operand and its kind, negative.
   */
  private int[] first;

  private int[] second;
  private long[] leafCount;
  private long[] labelHigh;
  private long[] labelLow;
  private int[] addDepth;
  private int[] wireRoundings;

  /** Ids by (first, second), open addressing; 0 is free since leaf 0 is never looked up. */
  private int[] slots;

  private final long allLabelsHigh;
  private final long allLabelsLow;

  /** Leaves get the ids 0..ranks−1. */
  SumTrees(int ranks) {
    this.ranks = ranks;
    int capacity = Math.max(64, Integer.highestOneBit(ranks) * 4);
    first = new int[capacity];
    second = new int[capacity];
    leafCount = new long[capacity];
    labelHigh = new long[capacity];
    labelLow = new long[capacity];
    addDepth = new int[capacity];
    wireRoundings = new int[capacity];
    slots = new int[capacity * 2];
    SplittableRandom labels = new SplittableRandom(LABEL_SEED);
    long high = 0;
    long low = 0;
    for (int rank = 0; rank < ranks; rank++) {
      first[rank] = rank;
      second[rank] = LEAF;
      leafCount[rank] = 1;
      labelHigh[rank] = labels.nextLong();
      labelLow[rank] = labels.nextLong();
      high += labelHigh[rank] + carry(low, labelLow[rank]);
      low += labelLow[rank];
    }
    size = ranks;
    allLabelsHigh = high;
    allLabelsLow = low;
  }

  /** The sum of two trees, not rounded. */
  int add(int a, int b) {
    return intern(Math.min(a, b), Math.max(a, b));
  }

  /** A sum rounded to the element type; anything but a bare sum is of that type already. */
  int rounded(int tree) {
    return second[tree] < 0 ? tree : intern(tree, ROUNDED);
  }

  /** A value narrowed to the wire type; narrowing twice changes nothing. */
  int wired(int tree) {
    return second[tree] == WIRED ? tree : intern(tree, WIRED);
  }

  /** Whether every rank is in the tree exactly once. */
  boolean hasEveryRankOnce(int tree) {
    return leafCount[tree] == ranks
        && labelHigh[tree] == allLabelsHigh
        && labelLow[tree] == allLabelsLow;
  }

  /** Most additions on a path from a leaf to the root. */
  int addDepth(int tree) {
    return addDepth[tree];
  }

  /** Most narrowings to the wire type on a path from a leaf to the root. */
  int wireRoundings(int tree) {
    return wireRoundings[tree];
  }

  /** How often each rank is in the tree; saturates at {@code Long.MAX_VALUE}. */
  long[] occurrences(int root) {
    long[] times = new long[root + 1];
    times[root] = 1;
    // Operands have smaller ids than what is made of them.
    for (int tree = root; tree >= ranks; tree--) {
      if (times[tree] != 0) {
        times[first[tree]] = saturatedSum(times[first[tree]], times[tree]);
        if (second[tree] >= 0) {
          times[second[tree]] = saturatedSum(times[second[tree]], times[tree]);
        }
      }
    }
    return Arrays.copyOf(times, ranks);
  }

  private int intern(int a, int b) {
    int slot = find(slots, a, b);
    if (slots[slot] != 0) {
      return slots[slot];
    }
    if (size == first.length) {
      grow();
      slot = find(slots, a, b);
    }
    int tree = size++;
    slots[slot] = tree;
    first[tree] = a;
    second[tree] = b;
    if (b < 0) {
      describeConversion(tree, a, b);
    } else {
      describeSum(tree, a, b);
    }
    return tree;
  }

  private void describeConversion(int tree, int operand, int kind) {
    leafCount[tree] = leafCount[operand];
    labelHigh[tree] = labelHigh[operand];
    labelLow[tree] = labelLow[operand];
    addDepth[tree] = addDepth[operand];
    wireRoundings[tree] = wireRoundings[operand] + (kind == WIRED ? 1 : 0);
  }

  private void describeSum(int tree, int a, int b) {
    leafCount[tree] = saturatedSum(leafCount[a], leafCount[b]);
    labelHigh[tree] = labelHigh[a] + labelHigh[b] + carry(labelLow[a], labelLow[b]);
    labelLow[tree] = labelLow[a] + labelLow[b];
    addDepth[tree] = Math.max(addDepth[a], addDepth[b]) + 1;
    wireRoundings[tree] = Math.max(wireRoundings[a], wireRoundings[b]);
  }

  private void grow() {
    int capacity = first.length * 2;
    first = Arrays.copyOf(first, capacity);
    second = Arrays.copyOf(second, capacity);
    leafCount = Arrays.copyOf(leafCount, capacity);
    labelHigh = Arrays.copyOf(labelHigh, capacity);
    labelLow = Arrays.copyOf(labelLow, capacity);
    addDepth = Arrays.copyOf(addDepth, capacity);
    wireRoundings = Arrays.copyOf(wireRoundings, capacity);
    int[] larger = new int[capacity * 2];
    for (int tree = ranks; tree < size; tree++) {
      larger[find(larger, first[tree], second[tree])] = tree;
    }
    slots = larger;
  }

  private int find(int[] table, int a, int b) {
    int mask = table.length - 1;
    long mixed = (((long) a << 32) ^ (b & 0xFFFFFFFFL)) * 0x9E3779B97F4A7C15L;
    int slot = (int) (mixed >>> 32) & mask;
    while (table[slot] != 0 && (first[table[slot]] != a || second[table[slot]] != b)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static long carry(long low, long addend) {
    return Long.compareUnsigned(low + addend, low) < 0 ? 1 : 0;
  }

  private static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
