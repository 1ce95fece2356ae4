package org.allreducelab.backends.probe;

import java.util.List;

/** Moves bytes from one endpoint of a backend to another. */
public interface PairProbe {
  /**
   * Every mode of a directed pair, in a stable order, also those that the drivers do not claim.
   *
   * @param from id of the endpoint that owns the bytes
   * @param to id of the one that reads them; equal to {@code from} for two logical devices on one
   * @implSpec asks the drivers, and creates nothing
   */
  List<ProbeMode> modes(String from, String to);

  /**
   * Tries one mode: moves every block of the sweep with every engine, in order; then blocks
   * {@linkplain Reuse twice through one place}, without a wait of the host in between where groups
   * have none; until one fails. Then measures.
   *
   * <p>May hang or end the process.
   *
   * @param mode one of {@link #modes}, and not a missing one
   * @implSpec what is moved differs from block to block, so that stale bytes are wrong bytes. The
   *     reader's memory is poisoned first, and what lies around the block is checked too. Errors of
   *     the driver are findings, not exceptions.
   */
  ProbeFinding run(
      String from, String to, ProbeMode mode, List<Block> sweep, ProbeProgress progress);
}
