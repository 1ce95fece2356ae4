package org.allreducelab.algorithms;

import java.util.function.IntUnaryOperator;
import org.allreducelab.algorithms.schedule.Span;

/**
 * The binary search tree of the nodes 0..n−1 in which node i is at the level of the trailing ones
 * of i: even nodes are leaves, the root is 2^⌊log2 n⌋ − 1. Which rank sits at a node is a
 * permutation.
 */
final class InOrderTree {
  private static final int NONE = -1;

  private final int size;
  private final Span span;
  private final IntUnaryOperator rankOfNode;

  private InOrderTree(int size, Span span, IntUnaryOperator rankOfNode) {
    this.size = size;
    this.span = span;
    this.rankOfNode = rankOfNode;
  }

  /** Rank r at node r. */
  static InOrderTree plain(int size, Span span) {
    return new InOrderTree(size, span, node -> node);
  }

  /** Rank r at node n−1−r. */
  static InOrderTree mirrored(int size, Span span) {
    return new InOrderTree(size, span, node -> size - 1 - node);
  }

  /** Rank r at node r−1 mod n. */
  static InOrderTree shifted(int size, Span span) {
    return new InOrderTree(size, span, node -> (node + 1) % size);
  }

  /** The nodes of one level (≥ 1) fold their children, which are on lower levels. */
  void addUp(RoundBuilder round, int level) {
    for (int node = firstOf(level); node < size; node += strideOf(level)) {
      int rank = rank(node);
      int left = rank(leftChild(node, level));
      int right = rightChild(node, level);
      if (right == NONE) {
        round.combine(rank, span, rank, left);
      } else {
        round.combine(rank, span, rank, left, rank(right));
      }
    }
  }

  /** The children of one level's nodes copy their parent; the root, above all, copies itself. */
  void addDown(RoundBuilder round, int level) {
    for (int node = firstOf(level); node < size; node += strideOf(level)) {
      int rank = rank(node);
      if (level == Log2.floor(size)) {
        round.combine(rank, span, rank);
      }
      round.combine(rank(leftChild(node, level)), span, rank);
      int right = rightChild(node, level);
      if (right != NONE) {
        round.combine(rank(right), span, rank);
      }
    }
  }

  private static int firstOf(int level) {
    return (1 << level) - 1;
  }

  private static int strideOf(int level) {
    return 1 << (level + 1);
  }

  private static int leftChild(int node, int level) {
    return node - (1 << (level - 1));
  }

  /** The top of what lies to the right; when n cuts the subtree short, its top is lower. */
  private int rightChild(int node, int level) {
    for (int step = 1 << (level - 1); step > 0; step >>= 1) {
      if (node + step < size) {
        return node + step;
      }
    }
    return NONE;
  }

  private int rank(int node) {
    return rankOfNode.applyAsInt(node);
  }
}
