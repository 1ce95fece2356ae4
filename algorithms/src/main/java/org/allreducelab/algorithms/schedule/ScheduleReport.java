package org.allreducelab.algorithms.schedule;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What {@link ScheduleChecker} proved about a schedule under a precision.
 *
 * @param fault the first element range of the lowest rank that does not end as the sum of every
 *     rank exactly once, in words; empty when the schedule is an all-reduce
 * @param disagreement the first element range on which a rank adds in another tree than rank 0, in
 *     words; empty when all ranks have the same bytes by construction
 * @param addDepth most additions any input goes through
 * @param wireRoundings most narrowings to the wire type any input goes through; 0 when the wire
 *     type is the element type
 * @param wireElementsReceived by rank: elements that come from other ranks
 * @param wireElementBytes bytes of one element on the wire
 * @param snapshotRounds indices of the rounds in which a rank overwrites elements that another rank
 *     reads in that round
 */
public record ScheduleReport(
    Optional<String> fault,
    Optional<String> disagreement,
    int addDepth,
    int wireRoundings,
    List<Long> wireElementsReceived,
    int wireElementBytes,
    List<Integer> snapshotRounds) {

  public ScheduleReport {
    wireElementsReceived = List.copyOf(wireElementsReceived);
    snapshotRounds = List.copyOf(snapshotRounds);
  }

  /** Whether every rank ends with the sum of every rank exactly once, in every element. */
  public boolean correct() {
    return fault.isEmpty();
  }

  /** Whether all ranks end with the same tree, and so the same bytes, in every element. */
  public boolean identical() {
    return disagreement.isEmpty();
  }

  /** Bytes that one rank receives from other ranks. */
  public long wireBytesReceived(int rank) {
    return wireElementsReceived.get(rank) * wireElementBytes;
  }

  /** Bytes that the busiest rank receives. */
  public long maxWireBytesReceived() {
    return Collections.max(wireElementsReceived) * wireElementBytes;
  }
}
