package org.allreducelab.backends.lowering;

import java.util.List;

/**
 * What a stream starts at once: it waits, then does its parts in order, then signals the progress
 * of all their ranks.
 *
 * @param stream whose
 * @param waits what it waits for, by peer
 * @param parts at least one
 */
public record StreamStep(int stream, List<PeerNeeds> waits, List<Part> parts) {
  public StreamStep {
    waits = List.copyOf(waits);
    parts = List.copyOf(parts);
  }

  /**
   * A submission of a step.
   *
   * @param submission its index in the program's global order
   * @param barrier whether it needs those before it in the step, and must not overlap them
   */
  public record Part(int submission, boolean barrier) {}

  /**
   * All that a step's ranks need of one peer on another stream.
   *
   * @param peer whose progress
   * @param needs per rank that needs something
   */
  public record PeerNeeds(int peer, List<RankNeed> needs) {
    public PeerNeeds {
      needs = List.copyOf(needs);
    }
  }

  /**
   * What one rank of a step needs.
   *
   * @param rank who needs it
   * @param need what of which peer
   */
  public record RankNeed(int rank, PeerWait need) {}
}
