package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

/**
 * One comparison of a fork's own buffers with the reference simulator.
 *
 * @param verdict the worst verdict over all checked elements
 * @param checkedElements elements compared, all ranks together
 * @param wrongElements how many of them are {@link Verdict#WRONG}
 * @param windowed whether only windows of a large vector were compared instead of all of it
 */
public record Verification(
    Verdict verdict, long checkedElements, long wrongElements, boolean windowed) {

  /**
   * @throws IllegalArgumentException if the counts contradict each other or the verdict
   */
  public Verification {
    requireNonNull(verdict, "verdict");
    if (wrongElements < 0 || wrongElements > checkedElements) {
      throw new IllegalArgumentException(
          "wrongElements must lie in 0.." + checkedElements + ", not " + wrongElements);
    }
    if ((verdict == Verdict.WRONG) != (wrongElements > 0)) {
      throw new IllegalArgumentException(
          "verdict " + verdict + " contradicts " + wrongElements + " wrong elements");
    }
  }

  /** Whether no element was outside the error bound. */
  public boolean passed() {
    return verdict != Verdict.WRONG;
  }
}
