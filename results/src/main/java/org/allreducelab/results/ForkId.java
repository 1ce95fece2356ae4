package org.allreducelab.results;

/**
 * Names one fork of one case.
 *
 * @param caseId id of the case
 * @param index fork number, counted from 0
 */
public record ForkId(String caseId, int index) {

  /**
   * @throws IllegalArgumentException if the case id is no {@link Tag} or the index is negative
   */
  public ForkId {
    Tag.require("case id", caseId);
    if (index < 0) {
      throw new IllegalArgumentException("fork index must be at least 0, not " + index);
    }
  }
}
