package org.allreducelab.backends;

import org.jspecify.annotations.Nullable;

/**
 * Faults that tests ask a group to have. Submissions of a rank are counted from 0 over the life of
 * the group.
 *
 * @param stall a rank that stops, or null
 * @param bitFlip a bit that changes in staging memory, or null
 * @param failAllocation which staging allocation of the group fails, counted from 0; -1 for none
 * @param refusal a driver call that gives an error, or null; ignored where there is no driver
 * @param proxyDeath a proxy thread that ends, or null; ignored where there are no proxies
 */
public record FaultPlan(
    @Nullable Stall stall,
    @Nullable BitFlip bitFlip,
    int failAllocation,
    @Nullable Refusal refusal,
    @Nullable ProxyDeath proxyDeath) {

  /** No faults. */
  public static final FaultPlan NONE = new FaultPlan(null, null, -1, null, null);

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

  /**
   * A driver call is not made, and an error reported in its place. After a lost device's error all
   * later calls that submit to that device, signal or wait give it too.
   *
   * @param call the function, for instance {@code vkAllocateMemory}
   * @param occurrence which of the group's calls of it, counted from 0
   * @param code the driver's error code
   */
  public record Refusal(String call, long occurrence, int code) {}

  /**
   * The proxy thread of a rank ends by an exception.
   *
   * @param rank whose progress it passes on
   * @param signals how often it passes something on before
   */
  public record ProxyDeath(int rank, long signals) {}

  public static FaultPlan stall(int rank, long submission) {
    return new FaultPlan(new Stall(rank, submission), null, -1, null, null);
  }

  public static FaultPlan flip(int rank, long submission, long byteOffset, int bit) {
    return new FaultPlan(null, new BitFlip(rank, submission, byteOffset, bit), -1, null, null);
  }

  public static FaultPlan failAllocation(int index) {
    return new FaultPlan(null, null, index, null, null);
  }

  public static FaultPlan refuse(String call, long occurrence, int code) {
    return new FaultPlan(null, null, -1, new Refusal(call, occurrence, code), null);
  }

  public static FaultPlan endProxy(int rank, long signals) {
    return new FaultPlan(null, null, -1, null, new ProxyDeath(rank, signals));
  }
}
