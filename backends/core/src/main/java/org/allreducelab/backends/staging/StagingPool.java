package org.allreducelab.backends.staging;

import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.lowering.Program;

/**
 * Applies a group's {@link StagingPolicy}: asks it before every enqueue and, where capacities
 * change, waits, frees and allocates. Counts and times that.
 *
 * <p>A program is recorded for the buffers that {@link #ensure} picked ({@link #use()}). When other
 * buffers are picked for it later, or the same ones were allocated anew, it must be recorded again
 * ({@link #stillUses}).
 *
 * <p>Not thread-safe. {@link #ensure} and {@link #stillUses} allocate no Java objects while
 * capacities stay.
 */
public final class StagingPool {
  private final String policyName;
  private final long largestRequest;
  private final StagingMemory memory;
  private final int[] localRanks;
  private final StagingRule[] rules;
  private final long[][] capacity;
  private final long[][] wanted;
  private final long[][] stamps;
  private final int[] picked;
  private final boolean[] needed;
  private final int failingAllocation;

  private int allocations;
  private long lastStamp;
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
    this.policyName = policy.name();
    largestRequest = policy.largestRequestBytes();
    this.memory = memory;
    this.localRanks = localRanks.stream().mapToInt(Integer::intValue).toArray();
    int ranks = this.localRanks.length;
    rules = new StagingRule[ranks];
    capacity = new long[ranks][];
    wanted = new long[ranks][];
    stamps = new long[ranks][];
    picked = new int[ranks];
    needed = new boolean[ranks];
    for (int i = 0; i < ranks; i++) {
      rules[i] = policy.newRule();
      capacity[i] = new long[rules[i].buffers()];
      wanted[i] = new long[rules[i].buffers()];
      stamps[i] = new long[rules[i].buffers()];
    }
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
      System.arraycopy(capacity[i], 0, wanted[i], 0, wanted[i].length);
      picked[i] = rules[i].decide(request, wanted[i]);
      needed[i] = request > 0;
      if (wanted[i][picked[i]] < request) {
        throw tooLittle(localRanks[i], wanted[i][picked[i]], request);
      }
      for (int b = 0; b < wanted[i].length; b++) {
        changes |= wanted[i][b] != capacity[i][b];
      }
    }
    if (changes) {
      reallocate();
    }
  }

  private BackendException tooLittle(int rank, long granted, long request) {
    return new BackendException(
        "staging policy "
            + policyName
            + " granted "
            + granted
            + " bytes where rank "
            + rank
            + " needs "
            + request
            + (request > largestRequest
                ? "; allow more, or cut the message into windows as lab decode does"
                : ""));
  }

  /** All frees come before all allocations, so that the peak is what a policy wants at most. */
  private void reallocate() {
    long startNs = System.nanoTime();
    memory.quiesce();
    for (int i = 0; i < localRanks.length; i++) {
      for (int b = 0; b < wanted[i].length; b++) {
        if (wanted[i][b] != capacity[i][b]) {
          free(i, b);
          reallocations++;
        }
      }
    }
    for (int i = 0; i < localRanks.length; i++) {
      for (int b = 0; b < wanted[i].length; b++) {
        if (wanted[i][b] != capacity[i][b]) {
          allocate(i, b, wanted[i][b]);
        }
      }
    }
    reallocationNs += System.nanoTime() - startNs;
  }

  private void allocate(int index, int buffer, long bytes) {
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
    memory.allocate(localRanks[index], buffer, bytes);
    capacity[index][buffer] = bytes;
    stamps[index][buffer] = ++lastStamp;
    residentBytes += bytes;
    peakBytes = Math.max(peakBytes, residentBytes);
  }

  private void free(int index, int buffer) {
    if (capacity[index][buffer] > 0) {
      residentBytes -= capacity[index][buffer];
      capacity[index][buffer] = 0;
      memory.free(localRanks[index], buffer);
    }
  }

  /** The buffers that the program of the last {@link #ensure} is to be recorded with. */
  public StagingUse use() {
    long[] used = new long[localRanks.length];
    for (int i = 0; i < used.length; i++) {
      used[i] = stampNeeded(i);
    }
    return new StagingUse(localRanks, used, picked.clone());
  }

  /** Whether {@link #use()} would say the same now, so that what was recorded with it is good. */
  public boolean stillUses(StagingUse recorded) {
    if (recorded.size() != localRanks.length) {
      return false;
    }
    for (int i = 0; i < localRanks.length; i++) {
      if (recorded.stamp(i) != stampNeeded(i)) {
        return false;
      }
    }
    return true;
  }

  private long stampNeeded(int index) {
    return needed[index] ? stamps[index][picked[index]] : StagingUse.NO_STAMP;
  }

  /** Accounts for a collective that had to be recorded again. */
  public void rerecorded(long elapsedNs) {
    rerecordings++;
    rerecordingNs += elapsedNs;
  }

  /** What a local rank keeps now, all its buffers together. */
  public long residentBytes(int rank) {
    for (int i = 0; i < localRanks.length; i++) {
      if (localRanks[i] == rank) {
        return sum(capacity[i]);
      }
    }
    throw new IllegalArgumentException("no local rank " + rank);
  }

  private static long sum(long[] bytes) {
    long sum = 0;
    for (long b : bytes) {
      sum += b;
    }
    return sum;
  }

  /** Memory kept now, and what keeping it cost so far. */
  public StagingStats stats() {
    long largest = 0;
    for (long[] ofRank : capacity) {
      largest = Math.max(largest, sum(ofRank));
    }
    return new StagingStats(
        residentBytes,
        peakBytes,
        largest,
        reallocations,
        reallocationNs,
        rerecordings,
        rerecordingNs);
  }

  /** Frees everything, last rank first. Idempotent. */
  public void freeAll() {
    for (int i = localRanks.length - 1; i >= 0; i--) {
      for (int b = capacity[i].length - 1; b >= 0; b--) {
        free(i, b);
      }
    }
  }
}
