package org.allreducelab.backends.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.junit.jupiter.api.Test;

class StagingPoolTest {
  /** Notes what it is asked for. */
  private static final class Memory implements StagingMemory {
    final List<String> calls = new ArrayList<>();

    @Override
    public void quiesce() {
      calls.add("quiesce");
    }

    @Override
    public void allocate(int rank, int buffer, long bytes) {
      calls.add("allocate " + rank + (buffer == 0 ? " " : "." + buffer + " ") + bytes);
    }

    @Override
    public void free(int rank, int buffer) {
      calls.add("free " + rank + (buffer == 0 ? "" : "." + buffer));
    }
  }

  /** A constant offset from what is asked for; 0 bytes are 0. */
  private record Off(long by) implements StagingPolicy {
    @Override
    public String name() {
      return "off";
    }

    @Override
    public StagingRule newRule() {
      OneBuffer rule = (request, present) -> request == 0 ? 0 : request + by;
      return rule;
    }
  }

  private final Memory memory = new Memory();

  private StagingPool pool(StagingPolicy policy, FaultPlan faults) {
    return new StagingPool(List.of(0, 1), policy, memory, faults);
  }

  /** One-shot in staged host memory: every rank needs slots for the whole vector. */
  private static Program program(int count) {
    return Lowering.lower(
        Algorithms.named("one-shot").plan(2, count),
        LoweringSpec.of(Precision.BF16, Transport.STAGED_HOST, Operands.OUT_OF_PLACE));
  }

  @Test
  void memoryThatStaysCostsNothing() {
    StagingPool pool = pool(new GrowOnly(), FaultPlan.NONE);
    pool.ensure(program(100));
    pool.ensure(program(50));
    pool.ensure(program(100));
    assertThat(memory.calls).containsExactly("quiesce", "allocate 0 200", "allocate 1 200");
    assertThat(pool.stats().reallocations()).isEqualTo(2);
  }

  @Test
  void aChangeWaitsFreesAndAllocatesAndWhatWasRecordedIsStale() {
    StagingPool pool = pool(new Off(0), FaultPlan.NONE);
    pool.ensure(program(100));
    StagingUse before = pool.use();
    memory.calls.clear();
    pool.ensure(program(40));
    assertThat(memory.calls)
        .containsExactly("quiesce", "free 0", "free 1", "allocate 0 80", "allocate 1 80");
    assertThat(pool.stillUses(before)).isFalse();
    StagingStats stats = pool.stats();
    assertThat(stats.residentBytes()).isEqualTo(160);
    assertThat(stats.largestRankBytes()).isEqualTo(80);
    assertThat(stats.peakBytes()).isEqualTo(400);
    assertThat(stats.reallocations()).isEqualTo(4);
    assertThat(stats.reallocationNs()).isPositive();
  }

  @Test
  void noBytesAreNoAllocation() {
    StagingPool pool = pool(new Off(0), FaultPlan.NONE);
    pool.ensure(program(0));
    assertThat(memory.calls).isEmpty();
    pool.ensure(program(10));
    memory.calls.clear();
    pool.ensure(program(0));
    assertThat(memory.calls).containsExactly("quiesce", "free 0", "free 1");
    assertThat(pool.stats().residentBytes()).isZero();
  }

  @Test
  void theAllocationThatShallFailFailsAndTheOthersAreFreed() {
    StagingPool pool = pool(new GrowOnly(), FaultPlan.failAllocation(1));
    assertThatThrownBy(() -> pool.ensure(program(100)))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "no staging memory: 200 bytes for rank 1 refused by the fault plan (allocation 1)");
    pool.freeAll();
    pool.freeAll();
    assertThat(memory.calls).containsExactly("quiesce", "allocate 0 200", "free 0");
    assertThat(pool.stats().residentBytes()).isZero();
  }

  @Test
  void aPolicyThatGrantsTooLittleIsNamed() {
    StagingPool pool = pool(new Off(-8), FaultPlan.NONE);
    assertThatThrownBy(() -> pool.ensure(program(100)))
        .isInstanceOf(BackendException.class)
        .hasMessage("staging policy off granted 192 bytes where rank 0 needs 200");
  }

  @Test
  void aMessageThatNeedsWindowsIsToldSo() {
    StagingPool pool = pool(new Fixed(100), FaultPlan.NONE);
    assertThatThrownBy(() -> pool.ensure(program(100)))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "staging policy fixed:100 granted 100 bytes where rank 0 needs 200; allow more, or cut"
                + " the message into windows as lab decode does");
  }

  @Test
  void rerecordingsAreCounted() {
    StagingPool pool = pool(new GrowOnly(), FaultPlan.NONE);
    pool.rerecorded(70);
    pool.rerecorded(30);
    assertThat(pool.stats().rerecordings()).isEqualTo(2);
    assertThat(pool.stats().rerecordingNs()).isEqualTo(100);
  }

  @Test
  void buffersThatStayKeepTheirRecordings() {
    StagingPool pool = pool(new SizeClasses(), FaultPlan.NONE);
    pool.ensure(program(100));
    StagingUse small = pool.use();
    pool.ensure(program(10_000));
    StagingUse large = pool.use();
    assertThat(pool.stillUses(small)).isFalse();
    memory.calls.clear();
    pool.ensure(program(100));
    assertThat(pool.stillUses(small)).isTrue();
    assertThat(pool.stillUses(large)).isFalse();
    assertThat(memory.calls).isEmpty();
    assertThat(small.buffer(1)).isNotEqualTo(large.buffer(1));
    assertThat(pool.residentBytes(0)).isEqualTo((1 << 12) + (1 << 15));
  }

  /** Programs that stage nothing do not care what becomes of the memory. */
  @Test
  void aProgramWithoutSlotsIsNeverStale() {
    StagingPool pool = pool(new Shrink(), FaultPlan.NONE);
    pool.ensure(program(0));
    StagingUse nothing = pool.use();
    pool.ensure(program(100));
    pool.ensure(program(0));
    assertThat(pool.stillUses(nothing)).isTrue();
  }

  @Test
  void aCapIsOneClearErrorAndCountsAllBuffers() {
    StagingPool pool = pool(new Capped(new Split(1000), 3000), FaultPlan.NONE);
    pool.ensure(program(500));
    assertThatThrownBy(() -> pool.ensure(program(1001)))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "staging policy split:1000 wants 3002 bytes on a rank for a request of 2002, and at"
                + " most 3000 are allowed");
  }
}
