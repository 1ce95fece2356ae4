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

  /** What a step is written to. */
  public interface Sink {
    /** What follows sees, and does not overlap, what came before. */
    void barrier();

    /** A kernel of a submission, both by index. */
    void kernel(int submission, int kernel);
  }

  /** The work of the step in order, which the proof and the recording both are made from. */
  public void writeTo(Sink sink, Program program) {
    for (Part part : parts) {
      int kernels = program.submissions().get(part.submission()).kernels().size();
      for (int kernel = 0; kernel < kernels; kernel++) {
        if (kernel > 0 || part.barrier()) {
          sink.barrier();
        }
        sink.kernel(part.submission(), kernel);
      }
    }
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
