package org.allreducelab.backends.cpu;

/**
 * Which worker runs which ranks: contiguous blocks, since neighbours exchange most.
 *
 * @param ranks number of ranks
 * @param workers number of workers, at most {@code ranks}
 */
record Deal(int ranks, int workers) {
  int workerOf(int rank) {
    return (int) ((long) rank * workers / ranks);
  }
}
