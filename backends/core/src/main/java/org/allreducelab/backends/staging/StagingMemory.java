package org.allreducelab.backends.staging;

/** Staging memory as a backend allocates it; {@link StagingPool} decides when. */
public interface StagingMemory {
  /** Waits until nothing in flight uses staging memory; called before memory changes. */
  void quiesce();

  /**
   * Allocates one of a rank's buffers; it is not there at that time.
   *
   * @param rank a local rank
   * @param buffer which of its buffers, from 0; a small number
   * @param bytes how much, ≥ 1
   * @throws org.allreducelab.backends.BackendException if it cannot be had
   */
  void allocate(int rank, int buffer, long bytes);

  /** Frees what {@link #allocate} gave. */
  void free(int rank, int buffer);
}
