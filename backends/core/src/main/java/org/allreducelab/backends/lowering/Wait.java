package org.allreducelab.backends.lowering;

/**
 * A wait for a rank's progress.
 *
 * @param rank whose progress
 * @param value how many of that rank's submissions of this invocation must have completed; {@link
 *     #START} for those of earlier invocations only
 */
public record Wait(int rank, int value) {
  /**
   * The value that a rank has when it has done everything it was given before this invocation,
   * earlier invocations and whatever produces its input. Nothing needs to signal it; and where a
   * host wait has already seen it, nothing needs to wait.
   */
  public static final int START = 0;
}
