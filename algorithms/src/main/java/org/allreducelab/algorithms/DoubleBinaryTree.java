package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Two binary trees at once, each for half of the vector, laid out so that a rank that is inner in
 * one tree is a leaf in the other (one rank is a leaf in both when n is odd).
 *
 * <pre>
 *   first half a: in-order tree      second half b: its mirror (n even)
 *             3                           0
 *           /                               \
 *         1                                   2
 *        / \                                 / \
 *       0   2                               3   1
 *
 *          rank 0        rank 1       rank 2       rank 3
 * round 0  -             a: 1+0+2     b: 2+3+1     -
 * round 1  b: 0+(231)    -            -            a: 3+(102)
 * round 2  b (self)      a ← 3        b ← 0        a (self)
 * round 3  a ← 1         b ← 2        a ← 1        b ← 2
 * </pre>
 *
 * <p>A node folds the list (own value, left child, right child) in one combine. In the tree, node i
 * is at the level of the trailing ones of i in binary, so leaves are the even nodes. Rank r is node
 * r of the first tree; of the second it is node n−1−r when n is even and node r−1 mod n when n is
 * odd. Either changes the parity of a node, which makes inner nodes leaves.
 *
 * <ul>
 *   <li>Source: Sanders, Speck and Träff, "Two-tree algorithms for full bandwidth broadcast,
 *       reduction and scan", Parallel Computing 35 (2009); not pipelined here.
 *   <li>Rounds: 2⌊log2 n⌋, both trees side by side.
 *   <li>Wire for m bytes: a rank receives up to 2·m: two children's halves going up, one of either
 *       half going down.
 *   <li>Add depth: 2⌊log2 n⌋, one less when n is a power of two (≥ 2), whose root has one child.
 *   <li>Wins: many ranks and short to middle sizes; all ranks share the work.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class DoubleBinaryTree extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "double-binary-tree";
  }

  @Override
  public String summary() {
    return "two binary trees, half of the vector each; many ranks, short vectors";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    ChunkMap halves = new ChunkMap(whole, 2, granule);
    InOrderTree first = InOrderTree.plain(ranks, halves.chunk(0));
    InOrderTree second =
        ranks % 2 == 0
            ? InOrderTree.mirrored(ranks, halves.chunk(1))
            : InOrderTree.shifted(ranks, halves.chunk(1));
    int levels = Log2.floor(ranks);
    return new LazyRounds(2 * levels, index -> round(levels, index, first, second));
  }

  private static Round round(int levels, int index, InOrderTree... trees) {
    RoundBuilder round = new RoundBuilder();
    for (InOrderTree tree : trees) {
      if (index < levels) {
        tree.addUp(round, index + 1);
      } else {
        tree.addDown(round, 2 * levels - index);
      }
    }
    return round.build();
  }
}
