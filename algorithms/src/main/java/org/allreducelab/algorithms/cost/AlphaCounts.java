package org.allreducelab.algorithms.cost;

/** What the latency α of a {@link CostModel} is paid for. */
public enum AlphaCounts {
  /**
   * A round costs a rank that receives or sends anything one α, however many its peers: ranks that
   * read each other's memory wait for all of them at once.
   */
  STEPS,
  /**
   * Each message costs α, one after the other: a rank with one port, as in the literature on
   * message passing. A message is all that one rank receives from one other in one round; a rank
   * pays for those it receives or those it sends, whichever are more.
   */
  MESSAGES
}
