package org.allreducelab.harness.decode;

/**
 * One pass through the model.
 *
 * @param phase what it is part of
 * @param tokens how many tokens pass at once, ≥ 1
 */
public record Step(Phase phase, int tokens) {
  public Step {
    if (tokens < 1) {
      throw new IllegalArgumentException("a step needs at least 1 token, not " + tokens);
    }
  }
}
