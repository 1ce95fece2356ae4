package org.allreducelab.backends.staging;

/** Staging memory as a backend allocates it; {@link StagingPool} decides when. */
public interface StagingMemory {
  /** Waits until nothing in flight uses staging memory; called before memory changes. */
  void quiesce();

  /**
   * Allocates a rank's staging memory; it has none at that time.
   *
   * @param rank a local rank
   * @param bytes how much, ≥ 1
   * @throws org.allreducelab.backends.BackendException if it cannot be had
   */
  void allocate(int rank, long bytes);

  /** Frees what {@link #allocate} gave the rank. */
  void free(int rank);
}
