package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;

/**
 * All that a submission waits for of one peer, in this invocation and in earlier ones.
 *
 * @param peer whose progress
 * @param value inside this invocation, {@link Wait#START} included, or {@link #NONE}
 * @param late whether the peer's reads in earlier invocations count too
 */
public record PeerWait(int peer, int value, boolean late) {
  /** Nothing inside this invocation is waited for. */
  public static final int NONE = -1;

  /** A submission's, by peer. */
  public static List<PeerWait> of(Submission s, int ranks) {
    List<PeerWait> waits = new ArrayList<>();
    for (int peer = 0; peer < ranks; peer++) {
      int value = NONE;
      for (Wait wait : s.waits()) {
        if (wait.rank() == peer) {
          value = Math.max(value, wait.value());
        }
      }
      boolean late = s.lateReaders().contains(peer);
      if (peer != s.rank() && (value != NONE || late)) {
        waits.add(new PeerWait(peer, value, late));
      }
    }
    return waits;
  }

  /**
   * The peer's progress that is needed.
   *
   * @param start the peer's progress when the invocation starts
   * @param lateReader the progress after which it no longer reads the waiting rank's memory
   */
  public long needed(long start, long lateReader) {
    long inside = value == NONE ? 0 : start + value;
    return late ? Math.max(inside, lateReader) : inside;
  }
}
