package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.staging.StagingPolicies;
import org.allreducelab.backends.staging.StagingPolicy;
import org.allreducelab.backends.staging.WindowFit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every backend must do, on every setup it can offer. A backend inherits this and gives {@link
 * #backend()} and {@link #setups()}, nothing else.
 *
 * <p>Correct means the reference simulator's bytes on every rank, for data of every kind in one
 * vector. Which cases run is {@link #cases()}: the whole matrix, or a covering set of about a
 * thousand for devices ({@code -Pfull} makes it the whole matrix there too).
 */
public abstract class BackendContractTest {
  private static final byte POISON = (byte) 0x5a;
  private static final int SPARE_BYTES = 64;

  /** The backend under test. */
  protected abstract Backend backend();

  /** The setups that it must be right on. */
  protected abstract List<GroupSetup> setups();

  /** The cases of {@link #givesTheSimulatorsBytes()}. */
  private List<ContractCase> cases() {
    return wholeMatrix() || Boolean.getBoolean("allreducelab.fullContract")
        ? ContractCase.fullMatrix()
        : ContractCase.coveringSet();
  }

  /** Whether the whole matrix runs always: where it takes a minute or two, as on the CPU. */
  protected boolean wholeMatrix() {
    return false;
  }

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  // --- bytes
  // --------------------------------------------------------------------------------------

  /** Bytes are checked here, not speed: software drivers on a busy machine take their time. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private record GroupKey(Precision precision, int ranks) {}

  @TestFactory
  Stream<DynamicTest> givesTheSimulatorsBytes() {
    Map<GroupKey, List<ContractCase>> byGroup = new LinkedHashMap<>();
    for (ContractCase c : cases()) {
      byGroup
          .computeIfAbsent(new GroupKey(c.precision(), c.ranks()), k -> new ArrayList<>())
          .add(c);
    }
    return byGroup.entrySet().stream()
        .map(
            e ->
                DynamicTest.dynamicTest(
                    "%s n=%d: %d cases on each of %d setups"
                        .formatted(
                            e.getKey().precision().name(),
                            e.getKey().ranks(),
                            e.getValue().size(),
                            setups().size()),
                    () -> checkAll(e.getKey(), e.getValue())));
  }

  private void checkAll(GroupKey key, List<ContractCase> cases) {
    int mostElements = cases.stream().mapToInt(ContractCase::count).max().orElseThrow();
    long capacity = (long) mostElements * key.precision().element().bytes() + SPARE_BYTES;
    TestVectors data = TestVectors.mixed(key.precision().element(), key.ranks(), key.hashCode());
    List<Group> groups = new ArrayList<>();
    try {
      for (GroupSetup setup : setups()) {
        groups.add(
            backend()
                .open(
                    setup
                        .spec(key.ranks())
                        .precision(key.precision())
                        .deadline(PATIENCE)
                        .capacityBytes(capacity)
                        .build()));
      }
      for (ContractCase c : cases) {
        Schedule schedule = c.algorithm().plan(c.ranks(), c.count());
        byte[][] inputs = data.vectors(c.count());
        byte[][] expected = new ReferenceSimulator(schedule, c.precision()).run(inputs);
        for (int s = 0; s < groups.size(); s++) {
          check(groups.get(s), c, schedule, inputs, expected, data, c + " on " + setups().get(s));
        }
      }
    } finally {
      groups.forEach(Group::close);
    }
  }

  private static void check(
      Group group,
      ContractCase c,
      Schedule schedule,
      byte[][] inputs,
      byte[][] expected,
      TestVectors data,
      String what) {
    int bytes = c.count() * c.precision().element().bytes();
    byte[] poison = new byte[bytes + SPARE_BYTES];
    Arrays.fill(poison, POISON);
    for (int rank : group.localRanks()) {
      group.write(rank, DataBuffer.RECV, poison);
      boolean inPlace = c.operands() == Operands.IN_PLACE;
      group.write(rank, inPlace ? DataBuffer.RECV : DataBuffer.SEND, inputs[rank]);
    }
    try (Collective collective = group.prepare(schedule, c.operands())) {
      collective.enqueue();
      collective.await();
    }
    byte[] actual = new byte[bytes + SPARE_BYTES];
    byte[] spare = Arrays.copyOf(poison, SPARE_BYTES);
    for (int rank : group.localRanks()) {
      group.read(rank, DataBuffer.RECV, 0, actual);
      requireEqual(c.precision().element(), rank, expected[rank], actual, data, what);
      assertThat(Arrays.copyOfRange(actual, bytes, actual.length))
          .as("beyond the vector, rank %d, %s", rank, what)
          .isEqualTo(spare);
      if (c.operands() == Operands.OUT_OF_PLACE) {
        byte[] input = new byte[bytes];
        group.read(rank, DataBuffer.SEND, 0, input);
        assertThat(input).as("input of rank %d, %s", rank, what).isEqualTo(inputs[rank]);
      }
    }
  }

  private static void requireEqual(
      ElementType type, int rank, byte[] expected, byte[] actual, TestVectors data, String what) {
    int at = Arrays.mismatch(expected, 0, expected.length, actual, 0, expected.length);
    if (at >= 0) {
      int element = at / type.bytes();
      throw new AssertionError(
          "%s: rank %d element %d (%s): expected %x, was %x"
              .formatted(
                  what,
                  rank,
                  element,
                  data.kindOf(element),
                  type.get(expected, element),
                  type.get(actual, element)));
    }
  }

  // --- sequences
  // ----------------------------------------------------------------------------------

  @Test
  void sixtyFourInvocationsWithoutAWait() {
    forEachSetup(
        (setup, n) -> {
          for (String name : List.of("ring", "one-shot", "halving-doubling")) {
            try (Bench bench = new Bench(setup.spec(n), Precision.BF16, 4096)) {
              Collective c = bench.prepare(name, 1000, Operands.OUT_OF_PLACE);
              for (int i = 0; i < 64; i++) {
                bench.enqueue(c);
              }
              bench.requireRight(name + " on " + setup);
            }
          }
        });
  }

  /** The next collective consumes the result at once, on the devices, in place. */
  @Test
  void aResultIsCompleteForTheCollectiveThatFollows() {
    forEachSetup(
        (setup, n) -> {
          try (Bench bench = new Bench(setup.spec(n), Precision.BF16, 4096)) {
            Collective first = bench.prepare("ring", 1000, Operands.OUT_OF_PLACE);
            Collective second = bench.prepare("two-shot", 1000, Operands.IN_PLACE);
            Collective third = bench.prepare("recursive-doubling", 777, Operands.IN_PLACE);
            bench.enqueue(first);
            bench.enqueue(second);
            bench.enqueue(third);
            bench.enqueue(second);
            bench.requireRight("chain on " + setup);
          }
        });
  }

  @Test
  void twoCollectivesOfDifferentSizesAlternate() {
    forEachSetup(
        (setup, n) -> {
          try (Bench bench = new Bench(setup.spec(n), Precision.F32, 1 << 18)) {
            Collective small = bench.prepare("one-shot", 100, Operands.OUT_OF_PLACE);
            Collective large = bench.prepare("ring", 60_000, Operands.OUT_OF_PLACE);
            for (int i = 0; i < 10; i++) {
              bench.enqueue(small);
              bench.enqueue(large);
              if (i % 3 == 0) {
                bench.requireRight("alternating on " + setup);
              }
            }
            bench.requireRight("alternating on " + setup);
          }
        });
  }

  /** Shapes and algorithms change from call to call, many in flight. */
  @Test
  void randomSequences() {
    Random random = new Random(20);
    List<Algorithm> all = Algorithms.all();
    forEachSetup(
        (setup, n) -> {
          try (Bench bench = new Bench(setup.spec(n), Precision.BF16_F32ACC, 1 << 15)) {
            List<Collective> prepared = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
              String name = all.get(random.nextInt(all.size())).name();
              Operands operands = random.nextBoolean() ? Operands.IN_PLACE : Operands.OUT_OF_PLACE;
              prepared.add(bench.prepare(name, random.nextInt(1 << 14), operands));
            }
            for (int i = 0; i < 100; i++) {
              bench.enqueue(prepared.get(random.nextInt(prepared.size())));
              if (random.nextInt(64) == 0) {
                bench.requireRight("random sequence on " + setup);
              }
            }
            bench.requireRight("random sequence on " + setup);
          }
        });
  }

  // --- staging policies
  // ---------------------------------------------------------------------------

  /** Sequences per policy and setup of {@link #capacitiesChangeUnderEnqueuedWork}. */
  protected int sequencesPerPolicy() {
    return 50;
  }

  static Stream<String> policies() {
    return Stream.of(
        "grow-only",
        "shrink",
        "shrink:1",
        "shrink-after:2",
        "size-classes",
        "split:1KiB",
        "fixed:4KiB");
  }

  /**
   * Random sizes and algorithms, several in flight while capacities change under them, an inactive
   * rank whose input holds NaN, and messages in windows where a policy needs that.
   */
  @ParameterizedTest
  @MethodSource("policies")
  void capacitiesChangeUnderEnqueuedWork(String policyName) {
    int n = 3;
    Random random = new Random(policyName.hashCode());
    List<Algorithm> all = Algorithms.all();
    for (GroupSetup setup : setups()) {
      StagingPolicy policy = StagingPolicies.named(policyName);
      GroupSpec.Builder spec =
          setup.spec(n).policy(policy).inactiveRanks(Set.of(1)).deadline(PATIENCE);
      try (Bench bench = new Bench(spec, Precision.F32, 1 << 15)) {
        List<Bench.Sized> prepared = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          Algorithm algorithm = all.get(random.nextInt(all.size()));
          int count = random.nextInt(1 << random.nextInt(4, 14));
          prepared.add(bench.prepareWithin(policy, algorithm, count));
        }
        for (int s = 0; s < sequencesPerPolicy(); s++) {
          int length = 1 + random.nextInt(5);
          for (int i = 0; i < length; i++) {
            bench.enqueue(prepared.get(random.nextInt(prepared.size())));
          }
          bench.requireRight(policyName + " on " + setup + ", sequence " + s);
        }
      }
    }
  }

  /** The first change fails that is not the first allocation: the group had a capacity before. */
  @Test
  void anAllocationThatFailsDuringAGrowIsOneClearErrorAndLeaksNothing() {
    forEachSetup(
        (setup, n) -> {
          if (n == 1) {
            return;
          }
          GroupSpec.Builder spec = setup.spec(n).faults(FaultPlan.failAllocation(n + 1));
          try (Bench bench = new Bench(spec, Precision.BF16, 1 << 14)) {
            Collective small = bench.prepare("one-shot", 100, Operands.IN_PLACE);
            Collective large = bench.prepare("one-shot", 5000, Operands.IN_PLACE);
            bench.enqueue(small);
            assertThatThrownBy(large::enqueue)
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("no staging memory: 10000 bytes for rank 1");
            assertThatThrownBy(small::enqueue).as("terminal").isInstanceOf(BackendException.class);
          }
          assertThat(LiveObjects.snapshot()).as("after the failure on %s", setup).isEmpty();
        });
  }

  @Test
  void inactiveRanksContributeNegativeZero() {
    forEachSetup(
        (setup, n) -> {
          if (n == 1) {
            return;
          }
          for (Algorithm algorithm : Algorithms.all()) {
            GroupSpec.Builder spec = setup.spec(n).inactiveRanks(Set.of(n - 1));
            try (Bench bench = new Bench(spec, Precision.BF16, 4096)) {
              bench.enqueue(bench.prepare(algorithm.name(), 1001, Operands.OUT_OF_PLACE));
              bench.enqueue(bench.prepare(algorithm.name(), 500, Operands.OUT_OF_PLACE));
              bench.requireRight(algorithm.name() + " with an inactive rank on " + setup);
            }
          }
        });
  }

  // --- failures
  // -----------------------------------------------------------------------------------

  @Test
  void aStalledRankGivesADeadlineThatNamesRankOperationAndPeer() {
    forEachSetup(
        (setup, n) -> {
          if (n == 1 || setup.placement() == Placement.SINGLE_QUEUE) {
            return;
          }
          int stalled = n - 1;
          GroupSpec.Builder spec =
              setup.spec(n).deadline(Duration.ofMillis(300)).faults(FaultPlan.stall(stalled, 1));
          try (Bench bench = new Bench(spec, Precision.BF16, 4096)) {
            Collective c = bench.prepare("ring", 1000, Operands.OUT_OF_PLACE);
            assertThatThrownBy(
                    () -> {
                      c.enqueue();
                      c.await();
                    })
                .as(setup.toString())
                .isInstanceOfSatisfying(
                    DeadlineException.class,
                    e -> {
                      assertThat(e.rank()).isBetween(0, n - 1);
                      assertThat(e.operation()).startsWith("round ");
                      if (e.rank() != stalled) {
                        assertThat(e.peer()).isBetween(0, n - 1).isNotEqualTo(e.rank());
                      }
                      assertThat(e).hasMessageContaining("rank " + stalled);
                    });
            assertThatThrownBy(c::enqueue).as("terminal").isInstanceOf(BackendException.class);
          }
          assertThat(LiveObjects.snapshot()).as("after the stall on %s", setup).isEmpty();
          try (Bench again = new Bench(setup.spec(n), Precision.BF16, 4096)) {
            again.enqueue(again.prepare("ring", 1000, Operands.OUT_OF_PLACE));
            again.requireRight("a new group after a failed one on " + setup);
          }
        });
  }

  @Test
  void aFlippedBitIsFound() {
    forEachSetup(
        (setup, n) -> {
          if (n == 1) {
            return;
          }
          GroupSpec.Builder spec = setup.spec(n).faults(FaultPlan.flip(0, 0, 3, 6));
          try (Bench bench = new Bench(spec, Precision.BF16, 4096)) {
            // In place every transport stages one-shot's inputs: peers read what owners overwrite.
            bench.enqueue(bench.prepare("one-shot", 1000, Operands.IN_PLACE));
            assertThatThrownBy(() -> bench.requireRight("flipped bit on " + setup))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("element 1 ");
          }
        });
  }

  @Test
  void aFailedStagingAllocationIsOneClearErrorAndLeaksNothing() {
    forEachSetup(
        (setup, n) -> {
          if (n == 1) {
            return;
          }
          GroupSpec.Builder spec = setup.spec(n).faults(FaultPlan.failAllocation(1));
          try (Bench bench = new Bench(spec, Precision.BF16, 4096)) {
            Collective c = bench.prepare("one-shot", 1000, Operands.IN_PLACE);
            assertThatThrownBy(c::enqueue)
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("staging");
          }
        });
  }

  @Test
  void closingWithWorkInFlightFreesEverything() {
    forEachSetup(
        (setup, n) -> {
          try (Bench bench = new Bench(setup.spec(n), Precision.BF16, 1 << 20)) {
            Collective c = bench.prepare("ring", 500_000, Operands.OUT_OF_PLACE);
            c.enqueue();
            c.enqueue();
          }
          assertThat(LiveObjects.snapshot()).as("after closing in flight on %s", setup).isEmpty();
        });
  }

  @Test
  void misuseIsAnError() {
    forEachSetup(
        (setup, n) -> {
          Group group =
              backend().open(setup.spec(n).precision(Precision.BF16).capacityBytes(64).build());
          Algorithm ring = Algorithms.named("ring");
          assertThatThrownBy(() -> group.prepare(ring.plan(n, 33), Operands.IN_PLACE))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> group.prepare(ring.plan(n + 1, 8), Operands.IN_PLACE))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> group.write(n, DataBuffer.SEND, new byte[1]))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> group.write(0, DataBuffer.SEND, new byte[65]))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> group.read(0, DataBuffer.RECV, 60, new byte[5]))
              .isInstanceOf(IndexOutOfBoundsException.class);
          Collective c = group.prepare(ring.plan(n, 32), Operands.OUT_OF_PLACE);
          c.enqueue();
          assertThatThrownBy(() -> group.write(0, DataBuffer.SEND, new byte[1]))
              .isInstanceOf(IllegalStateException.class);
          c.await();
          group.write(0, DataBuffer.SEND, new byte[1]);
          c.close();
          c.close();
          assertThatThrownBy(c::enqueue).isInstanceOf(BackendException.class);
          group.close();
          group.close();
          assertThatThrownBy(group::await).isInstanceOf(BackendException.class);
        });
  }

  @Test
  void choicesComeWithReasons() {
    forEachSetup(
        (setup, n) -> {
          try (Group group =
              backend().open(setup.spec(n).precision(Precision.BF16).capacityBytes(64).build())) {
            Choices choices = group.choices();
            for (Choice<?> choice :
                List.of(
                    choices.placement(),
                    choices.transport(),
                    choices.sync(),
                    choices.barrier(),
                    choices.kernels())) {
              assertThat(choice.reason()).isNotBlank();
            }
            assertThat(choices.transport().value())
                .isEqualTo(
                    setup.transport() == null ? choices.transport().value() : setup.transport());
          }
        });
  }

  // --- rig
  // ----------------------------------------------------------------------------------------

  private interface SetupTest {
    void run(GroupSetup setup, int ranks);
  }

  private void forEachSetup(SetupTest test) {
    assertThat(setups()).isNotEmpty();
    for (GroupSetup setup : setups()) {
      for (int n : new int[] {1, 2, 3, 8}) {
        test.run(setup, n);
      }
    }
  }

  /** A group with inputs of every kind, and what its RECV buffers must hold after what ran. */
  private final class Bench implements AutoCloseable {
    private final Group group;
    private final GroupSpec spec;
    private final TestVectors data;
    private final byte[][] send;
    private final byte[][] recv;
    private final Map<Collective, Planned> planned = new LinkedHashMap<>();

    /**
     * A message size out of place, in windows where the policy needs that.
     *
     * @param result what it leaves, by rank: the same every time
     */
    private record Sized(List<Collective> parts, List<byte[]> result) {}

    private record Planned(Schedule schedule, Operands operands) {}

    Bench(GroupSpec.Builder builder, Precision precision, int capacityBytes) {
      spec = builder.precision(precision).capacityBytes(capacityBytes).build();
      group = backend().open(spec);
      ElementType type = precision.element();
      data = TestVectors.mixed(type, spec.ranks(), 11);
      send = data.vectors(capacityBytes / type.bytes());
      recv = data.vectors(capacityBytes / type.bytes());
      for (int rank = 0; rank < spec.ranks(); rank++) {
        group.write(rank, DataBuffer.RECV, recv[rank]);
        if (spec.inactiveRanks().contains(rank)) {
          byte[] nans = new byte[capacityBytes];
          fill(type, nans, type.canonicalNanBits());
          group.write(rank, DataBuffer.SEND, nans);
          fill(type, send[rank], type.signBit());
        } else {
          group.write(rank, DataBuffer.SEND, send[rank]);
        }
      }
    }

    private static void fill(ElementType type, byte[] vector, int bits) {
      for (int i = 0; i < vector.length / type.bytes(); i++) {
        type.put(vector, i, bits);
      }
    }

    Collective prepare(String algorithm, int count, Operands operands) {
      Schedule schedule = Algorithms.named(algorithm).plan(spec.ranks(), count);
      Collective collective = group.prepare(schedule, operands);
      planned.put(collective, new Planned(schedule, operands));
      return collective;
    }

    /** Prepares what never asks for more staging memory than the policy can have. */
    Sized prepareWithin(StagingPolicy policy, Algorithm algorithm, int count) {
      WindowFit fit =
          new WindowFit(
              spec.precision(),
              group.choices().transport().value(),
              Operands.OUT_OF_PLACE,
              group.choices().barrier().value(),
              spec.inactiveRanks());
      Algorithm fitted =
          fit.fit(
              algorithm,
              spec.ranks(),
              count,
              Algorithm.DEFAULT_GRANULE,
              policy.largestRequestBytes());
      List<Collective> parts = new ArrayList<>();
      for (Schedule part :
          WindowFit.parts(fitted, spec.ranks(), count, Algorithm.DEFAULT_GRANULE)) {
        parts.add(group.prepare(part, Operands.OUT_OF_PLACE));
      }
      byte[][] inputs = new byte[spec.ranks()][];
      for (int rank = 0; rank < inputs.length; rank++) {
        inputs[rank] = Arrays.copyOf(send[rank], count * spec.precision().element().bytes());
      }
      Schedule whole = fitted.plan(spec.ranks(), count);
      byte[][] result = new ReferenceSimulator(whole, spec.precision()).run(inputs);
      return new Sized(parts, List.of(result));
    }

    void enqueue(Sized sized) {
      sized.parts.forEach(Collective::enqueue);
      for (int rank = 0; rank < recv.length; rank++) {
        byte[] result = sized.result.get(rank);
        System.arraycopy(result, 0, recv[rank], 0, result.length);
      }
    }

    void enqueue(Collective collective) {
      collective.enqueue();
      Planned p = planned.get(collective);
      if (p == null) {
        throw new IllegalArgumentException("not prepared here");
      }
      int bytes = p.schedule.count() * spec.precision().element().bytes();
      byte[][] from = p.operands == Operands.IN_PLACE ? recv : send;
      byte[][] inputs = new byte[spec.ranks()][];
      for (int rank = 0; rank < inputs.length; rank++) {
        inputs[rank] = Arrays.copyOf(from[rank], bytes);
      }
      byte[][] outputs = new ReferenceSimulator(p.schedule, spec.precision()).run(inputs);
      for (int rank = 0; rank < inputs.length; rank++) {
        System.arraycopy(outputs[rank], 0, recv[rank], 0, bytes);
      }
    }

    void requireRight(String what) {
      group.await();
      for (int rank : group.localRanks()) {
        byte[] actual = new byte[recv[rank].length];
        group.read(rank, DataBuffer.RECV, 0, actual);
        requireEqual(spec.precision().element(), rank, recv[rank], actual, data, what);
      }
    }

    @Override
    public void close() {
      group.close();
    }
  }
}
