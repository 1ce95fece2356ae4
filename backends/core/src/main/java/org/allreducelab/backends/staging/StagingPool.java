package org.allreducelab.backends.staging;

import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.lowering.Program;

/**
 * Applies a group's {@link StagingPolicy}: asks it before every enqueue and, where a rank's
 * capacity changes, waits, frees and allocates. Counts and times that.
 *
 * <p>Every change starts a new {@linkplain #generation() generation}: what was recorded with the
 * memory of an older one must be recorded again.
 *
 * <p>Not thread-safe. {@link #ensure} allocates no Java objects while capacities stay.
 */
public final class StagingPool {
  private final StagingPolicy policy;
  private final StagingMemory memory;
  private final int[] localRanks;
  private final long[] capacity;
  private final long[] wanted;
  private final int failingAllocation;

  private int allocations;
  private int generation;
  private long residentBytes;
  private long peakBytes;
  private long reallocations;
  private long reallocationNs;
  private long rerecordings;
  private long rerecordingNs;

  /**
   * @param localRanks the ranks whose staging memory this process keeps
   * @param policy how much to keep
   * @param memory where it comes from
   * @param faults which allocation fails, for tests
   */
  public StagingPool(
      List<Integer> localRanks, StagingPolicy policy, StagingMemory memory, FaultPlan faults) {
    this.policy = policy;
    this.memory = memory;
    this.localRanks = localRanks.stream().mapToInt(Integer::intValue).toArray();
    capacity = new long[this.localRanks.length];
    wanted = new long[this.localRanks.length];
    failingAllocation = faults.failAllocation();
  }

  /**
   * Has the policy decide for one invocation of a program; afterwards every local rank has what the
   * program needs.
   *
   * @throws BackendException if memory cannot be had, or the policy grants less than was asked for
   */
  public void ensure(Program program) {
    boolean changes = false;
    for (int i = 0; i < localRanks.length; i++) {
      long request = program.slotBytes(localRanks[i]);
      wanted[i] = policy.capacityBytes(request, capacity[i]);
      if (wanted[i] < request) {
        throw new BackendException(
            "staging policy "
                + policy.name()
                + " granted "
                + wanted[i]
                + " bytes where rank "
                + localRanks[i]
                + " needs "
                + request);
      }
      changes |= wanted[i] != capacity[i];
    }
    if (changes) {
      reallocate();
    }
  }

  private void reallocate() {
    long startNs = System.nanoTime();
    memory.quiesce();
    generation++;
    for (int i = 0; i < localRanks.length; i++) {
      if (wanted[i] != capacity[i]) {
        free(i);
        allocate(i, wanted[i]);
        reallocations++;
      }
    }
    reallocationNs += System.nanoTime() - startNs;
  }

  private void allocate(int index, long bytes) {
    if (bytes == 0) {
      return;
    }
    if (allocations++ == failingAllocation) {
      throw new BackendException(
          "no staging memory: "
              + bytes
              + " bytes for rank "
              + localRanks[index]
              + " refused by the fault plan (allocation "
              + failingAllocation
              + ")");
    }
    memory.allocate(localRanks[index], bytes);
    capacity[index] = bytes;
    residentBytes += bytes;
    peakBytes = Math.max(peakBytes, residentBytes);
  }

  private void free(int index) {
    if (capacity[index] > 0) {
      residentBytes -= capacity[index];
      capacity[index] = 0;
      memory.free(localRanks[index]);
    }
  }

  /** Goes up with every change of memory; 0 before the first. */
  public int generation() {
    return generation;
  }

  /** Accounts for a collective that had to be recorded again for a new generation. */
  public void rerecorded(long elapsedNs) {
    rerecordings++;
    rerecordingNs += elapsedNs;
  }

  /** Memory kept now, and what keeping it cost so far. */
  public StagingStats stats() {
    return new StagingStats(
        residentBytes, peakBytes, reallocations, reallocationNs, rerecordings, rerecordingNs);
  }

  /** Frees everything, last rank first. Idempotent. */
  public void freeAll() {
    for (int i = localRanks.length - 1; i >= 0; i--) {
      free(i);
    }
  }
}
