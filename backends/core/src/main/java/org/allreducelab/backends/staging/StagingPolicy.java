package org.allreducelab.backends.staging;

/** Decides how much staging memory a rank keeps. Itself without state; each rank has a rule. */
public interface StagingPolicy {
  /** The name users type, with parameters where they differ from the default. */
  String name();

  /** A new rule, for one rank. */
  StagingRule newRule();

  /**
   * The largest request that its rules can meet, in bytes. Larger messages must be cut into windows
   * ({@link org.allreducelab.algorithms.schedule.Windows}).
   */
  default long largestRequestBytes() {
    return Long.MAX_VALUE;
  }
}
