package org.allreducelab.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.DeadlineException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.staging.Shrink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to groups on the CPU; the contract test has the rest. */
class CpuGroupTest {
  private static final int CAPACITY = 1 << 16;

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  private static GroupSpec.Builder spec(int ranks) {
    return GroupSpec.builder("cpu", ranks).capacityBytes(CAPACITY);
  }

  private static Group open(GroupSpec.Builder spec, int cores) {
    return new CpuBackend(cores, FoldLoops.best()).open(spec.build());
  }

  private static Collective prepare(Group group, String algorithm, int count, Operands operands) {
    return group.prepare(Algorithms.named(algorithm).plan(group.ranks(), count), operands);
  }

  private static byte[][] fill(Group group, Precision precision, int count, DataBuffer buffer) {
    byte[][] inputs = TestVectors.mixed(precision.element(), group.ranks(), 17).vectors(count);
    for (int rank = 0; rank < inputs.length; rank++) {
      group.write(rank, buffer, inputs[rank]);
    }
    return inputs;
  }

  private static void requireResult(Group group, byte[][] expected) {
    for (int rank = 0; rank < expected.length; rank++) {
      byte[] actual = new byte[expected[rank].length];
      group.read(rank, DataBuffer.RECV, 0, actual);
      assertThat(actual).as("rank %d", rank).isEqualTo(expected[rank]);
    }
  }

  // --- workers
  // ------------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void anyNumberOfWorkersGivesTheSameBytesForThousandsOfInvocations(int cores) {
    int ranks = 8;
    int count = 1000;
    for (Barrier barrier : Barrier.values()) {
      try (Group group = open(spec(ranks).barrier(barrier), cores)) {
        byte[][] inputs = fill(group, Precision.BF16, count, DataBuffer.SEND);
        for (String algorithm : List.of("ring", "halving-doubling", "two-shot", "one-shot")) {
          Schedule schedule = Algorithms.named(algorithm).plan(ranks, count);
          byte[][] expected = new ReferenceSimulator(schedule, Precision.BF16).run(inputs);
          Collective c = group.prepare(schedule, Operands.OUT_OF_PLACE);
          for (int i = 0; i < 1000; i++) {
            c.enqueue();
            if (i % 7 == 0) {
              c.await();
            }
          }
          c.await();
          requireResult(group, expected);
        }
      }
    }
  }

  @Test
  void workersAreDaemonsAndOneFewerThanCores() {
    try (Group group = open(spec(8), 3)) {
      List<Thread> workers = workerThreads();
      assertThat(workers).hasSize(2).allMatch(Thread::isDaemon);
      assertThat(group.choices().placement().reason()).isEqualTo("8 ranks share 3 cores");
    }
    assertThat(workerThreads()).isEmpty();
  }

  @Test
  void ranksAreDealtInContiguousBlocks() {
    Deal deal = new Deal(8, 3);
    List<Integer> workers = new ArrayList<>();
    for (int rank = 0; rank < 8; rank++) {
      workers.add(deal.workerOf(rank));
    }
    assertThat(workers).containsExactly(0, 0, 0, 1, 1, 1, 2, 2);
  }

  @Test
  void moreInvocationsThanTheRingHoldsCanBeEnqueuedAtOnce() {
    try (Group group = open(spec(4), 2)) {
      byte[][] inputs = fill(group, Precision.BF16, 500, DataBuffer.SEND);
      Schedule schedule = Algorithms.named("ring").plan(4, 500);
      Collective c = group.prepare(schedule, Operands.OUT_OF_PLACE);
      for (int i = 0; i < 3 * InvocationRing.CAPACITY + 5; i++) {
        c.enqueue();
      }
      c.await();
      requireResult(group, new ReferenceSimulator(schedule, Precision.BF16).run(inputs));
    }
  }

  @Test
  void parkedWorkersWakeUp() throws InterruptedException {
    try (Group group = open(spec(2), 2)) {
      Collective c = prepare(group, "ring", 100, Operands.OUT_OF_PLACE);
      for (int i = 0; i < 5; i++) {
        Thread.sleep(20);
        c.enqueue();
        c.await();
      }
    }
  }

  @Test
  void anInterruptedCallerStillGetsItsResult() {
    try (Group group = open(spec(2), 2)) {
      Collective c = prepare(group, "ring", 1000, Operands.OUT_OF_PLACE);
      Thread.currentThread().interrupt();
      c.enqueue();
      c.await();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void scalarLoopsGiveTheSameResults() {
    Choice<LoopSet> scalar = new Choice<>(FoldLoops.scalar(), "for a test");
    for (Precision precision : Precision.presets()) {
      int ranks = Math.min(5, precision.maxRanks());
      int count = Math.max(2000, precision.wideBelowCount());
      GroupSpec spec =
          GroupSpec.builder("cpu", ranks)
              .precision(precision)
              .capacityBytes(4L * count)
              .transport(Transport.STAGED_HOST)
              .build();
      Schedule schedule = Algorithms.named("two-shot").plan(ranks, count);
      try (Group group = new CpuBackend(2, scalar).open(spec)) {
        assertThat(group.choices().kernels()).isEqualTo(new Choice<>("scalar", "for a test"));
        byte[][] inputs = fill(group, precision, count, DataBuffer.SEND);
        Collective c = group.prepare(schedule, Operands.OUT_OF_PLACE);
        c.enqueue();
        c.await();
        requireResult(group, new ReferenceSimulator(schedule, precision).run(inputs));
      }
    }
  }

  // --- allocation
  // ---------------------------------------------------------------------------------

  @Test
  void nothingIsAllocatedPerInvocation() {
    int invocations = 10_000;
    try (Group group = open(spec(4), 2)) {
      fill(group, Precision.BF16, 1000, DataBuffer.SEND);
      Collective first = prepare(group, "ring", 1000, Operands.OUT_OF_PLACE);
      Collective second = prepare(group, "one-shot", 600, Operands.OUT_OF_PLACE);
      ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long[] threads = threadIds();
      long least = Long.MAX_VALUE;
      // Until they are compiled, vector loops allocate: the first rounds warm up.
      for (int round = 0; round < 12 && least > invocations; round++) {
        long before = allocatedBytes(bean, threads);
        for (int i = 0; i < invocations / 2; i++) {
          first.enqueue();
          second.enqueue();
          group.await();
        }
        least = Math.min(least, allocatedBytes(bean, threads) - before);
      }
      assertThat((double) least / invocations).as("bytes per invocation").isLessThanOrEqualTo(1.0);
    }
  }

  private static long[] threadIds() {
    return Stream.concat(Stream.of(Thread.currentThread()), workerThreads().stream())
        .mapToLong(Thread::getId)
        .toArray();
  }

  /** Allocates nothing itself. */
  private static long allocatedBytes(ThreadMXBean bean, long[] threads) {
    long bytes = 0;
    for (long id : threads) {
      bytes += bean.getThreadAllocatedBytes(id);
    }
    return bytes;
  }

  private static List<Thread> workerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith("allreduce-cpu-"))
        .toList();
  }

  // --- failures
  // -----------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aStalledRankIsNamedHoweverRanksShareWorkers(int cores) {
    for (int stalled = 0; stalled < 4; stalled++) {
      GroupSpec.Builder spec =
          spec(4).deadline(Duration.ofMillis(100)).faults(FaultPlan.stall(stalled, 20));
      try (Group group = open(spec, cores)) {
        Collective c = prepare(group, "ring", 1000, Operands.OUT_OF_PLACE);
        int expected = stalled;
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 40; i++) {
                    c.enqueue();
                  }
                  c.await();
                })
            .isInstanceOfSatisfying(
                DeadlineException.class,
                e -> {
                  assertThat(e.peer() == expected || e.rank() == expected)
                      .as(e.getMessage())
                      .isTrue();
                  assertThat(e.operation()).startsWith("round ");
                });
        assertThatThrownBy(group::await)
            .isInstanceOf(BackendException.class)
            .hasMessageStartingWith("the group failed earlier: deadline of 100 ms passed");
      }
    }
  }

  @Test
  void aStallWithMoreEnqueuedThanTheRingHoldsIsADeadlineInEnqueue() {
    GroupSpec.Builder spec = spec(2).deadline(Duration.ofMillis(100)).faults(FaultPlan.stall(1, 0));
    try (Group group = open(spec, 2)) {
      Collective c = prepare(group, "ring", 1000, Operands.OUT_OF_PLACE);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i <= InvocationRing.CAPACITY; i++) {
                  c.enqueue();
                }
              })
          .isInstanceOf(DeadlineException.class);
    }
  }

  @Test
  void closingAStalledGroupTakesOneDeadline() {
    GroupSpec.Builder spec = spec(2).deadline(Duration.ofMillis(200)).faults(FaultPlan.stall(1, 0));
    Group group = open(spec, 2);
    prepare(group, "ring", 1000, Operands.OUT_OF_PLACE).enqueue();
    long startNs = System.nanoTime();
    group.close();
    assertThat(System.nanoTime() - startNs).isBetween(200_000_000L, 3_000_000_000L);
  }

  /** A flip beyond the slots is the only way to make a worker throw from outside. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anExceptionInAWorkerReachesTheCaller(int rank) {
    GroupSpec.Builder spec = spec(2).faults(FaultPlan.flip(rank, 1, 1 << 20, 0));
    try (Group group = open(spec, 2)) {
      Collective c = prepare(group, "one-shot", 1000, Operands.IN_PLACE);
      c.enqueue();
      assertThatThrownBy(c::await)
          .isInstanceOf(BackendException.class)
          .hasMessageStartingWith("cpu worker " + rank + " failed in rank " + rank + ", round 0")
          .hasMessageContaining("no byte 1048576 to flip");
      assertThatThrownBy(() -> group.read(0, DataBuffer.RECV, 0, new byte[1]))
          .isInstanceOf(BackendException.class)
          .hasMessageStartingWith("the group failed earlier: ");
      c.close();
    }
  }

  @Test
  void aCollectiveClosedInFlightIsCompletedFirst() {
    try (Group group = open(spec(4), 2)) {
      byte[][] inputs = fill(group, Precision.BF16, 3000, DataBuffer.SEND);
      Schedule schedule = Algorithms.named("ring").plan(4, 3000);
      Collective c = group.prepare(schedule, Operands.OUT_OF_PLACE);
      c.enqueue();
      c.enqueue();
      c.close();
      requireResult(group, new ReferenceSimulator(schedule, Precision.BF16).run(inputs));
      assertThatThrownBy(c::enqueue).hasMessage("the collective is closed");
    }
  }

  @Test
  void buffersBelongToTheGroupWhileInFlight() {
    try (Group group = open(spec(2), 2)) {
      Collective c = prepare(group, "ring", 1000, Operands.OUT_OF_PLACE);
      c.enqueue();
      assertThatThrownBy(() -> group.read(0, DataBuffer.RECV, 0, new byte[1]))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("read while a collective is in flight: call await() first");
      c.await();
      group.read(0, DataBuffer.RECV, 0, new byte[1]);
    }
  }

  @Test
  void buffersBeyondAnArrayAreRefused() {
    assertThatThrownBy(() -> open(spec(2).capacityBytes(1L << 31), 2))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "a buffer cannot have 2147483648 bytes: the cpu backend allows at most 2147479543");
  }

  @Test
  void moreThanTheHeapIsOneClearError() {
    assertThatThrownBy(() -> open(spec(64).capacityBytes(BufferLayout.LARGEST_BYTES), 2))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("LAB_JAVA_OPTS=-Xmx8g");
  }

  // --- staging
  // ------------------------------------------------------------------------------------

  @Test
  void collectivesAreRecordedAgainWhenStagingMemoryChanges() {
    try (Group group = open(spec(4).transport(Transport.STAGED_HOST).policy(new Shrink(1)), 2)) {
      byte[][] inputs = fill(group, Precision.BF16, 3000, DataBuffer.SEND);
      Schedule small = Algorithms.named("one-shot").plan(4, 40);
      Schedule large = Algorithms.named("one-shot").plan(4, 3000);
      Collective first = group.prepare(small, Operands.OUT_OF_PLACE);
      Collective second = group.prepare(large, Operands.OUT_OF_PLACE);
      for (int i = 0; i < 3; i++) {
        first.enqueue();
        second.enqueue();
      }
      group.await();
      requireResult(group, new ReferenceSimulator(large, Precision.BF16).run(inputs));
      assertThat(group.staging().reallocations()).isEqualTo(4 * 6);
      assertThat(group.staging().rerecordings()).isEqualTo(4);
      assertThat(group.staging().residentBytes()).isEqualTo(4 * 6000);
      assertThat(group.staging().peakBytes()).isEqualTo(4 * 6000);
      assertThat(group.staging().reallocationNs()).isPositive();
    }
  }
}
