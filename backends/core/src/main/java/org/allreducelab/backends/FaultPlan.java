package org.allreducelab.backends;

import org.jspecify.annotations.Nullable;

/**
 * Faults that tests ask a group to have. Submissions of a rank are counted from 0 over the life of
 * the group.
 *
 * @param stall a rank that stops, or null
 * @param bitFlip a bit that changes in staging memory, or null
 * @param failAllocation which staging allocation of the group fails, counted from 0; -1 for none
 */
public record FaultPlan(@Nullable Stall stall, @Nullable BitFlip bitFlip, int failAllocation) {

  /** No faults. */
  public static final FaultPlan NONE = new FaultPlan(null, null, -1);

  /**
   * Rank {@code rank} never executes its submission {@code submission} or any after it.
   *
   * @param rank the rank that stops
   * @param submission the first submission it does not execute
   */
  public record Stall(int rank, long submission) {}

  /**
   * A bit of a rank's slot memory is flipped right after one of its submissions, before peers are
   * told of it.
   *
   * @param rank whose slot memory
   * @param submission after which of its submissions
   * @param byteOffset which byte of its slot memory
   * @param bit which bit of that byte, 0..7
   */
  public record BitFlip(int rank, long submission, long byteOffset, int bit) {}

  public static FaultPlan stall(int rank, long submission) {
    return new FaultPlan(new Stall(rank, submission), null, -1);
  }

  public static FaultPlan flip(int rank, long submission, long byteOffset, int bit) {
    return new FaultPlan(null, new BitFlip(rank, submission, byteOffset, bit), -1);
  }

  public static FaultPlan failAllocation(int index) {
    return new FaultPlan(null, null, index);
  }
}
