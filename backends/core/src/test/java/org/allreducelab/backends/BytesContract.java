package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every algorithm gives the simulator's bytes on every rank, and leaves everything else alone. */
interface BytesContract extends ContractTheme {
  /** What the bytes beyond a vector hold. */
  byte POISON = (byte) 0x5a;

  /** How many of them are looked at. */
  int SPARE_BYTES = 64;

  /** Cases of one key share groups. */
  record GroupKey(Precision precision, int ranks) {}

  @TestFactory
  default Stream<DynamicTest> givesTheSimulatorsBytes() {
    ContractSubject subject = subject();
    Map<GroupKey, List<ContractCase>> byGroup = new LinkedHashMap<>();
    for (ContractCase c : subject.cases()) {
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
                            subject.setups().size()),
                    () -> checkAll(subject, e.getKey(), e.getValue())));
  }

  private static void checkAll(ContractSubject subject, GroupKey key, List<ContractCase> cases) {
    int mostElements = cases.stream().mapToInt(ContractCase::count).max().orElseThrow();
    long capacity = (long) mostElements * key.precision().element().bytes() + SPARE_BYTES;
    TestVectors data = TestVectors.mixed(key.precision().element(), key.ranks(), key.hashCode());
    List<GroupSetup> setups = subject.setups();
    List<Group> groups = new ArrayList<>();
    try {
      for (GroupSetup setup : setups) {
        groups.add(
            subject
                .backend()
                .open(
                    setup
                        .spec(key.ranks())
                        .precision(key.precision())
                        .deadline(ContractSubject.PATIENCE)
                        .capacityBytes(capacity)
                        .build()));
      }
      for (ContractCase c : cases) {
        Schedule schedule = c.algorithm().plan(c.ranks(), c.count());
        byte[][] inputs = data.vectors(c.count());
        byte[][] expected = new ReferenceSimulator(schedule, c.precision()).run(inputs);
        for (int s = 0; s < groups.size(); s++) {
          check(groups.get(s), c, schedule, inputs, expected, data, c + " on " + setups.get(s));
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
      ContractBench.requireEqual(c.precision().element(), rank, expected[rank], actual, data, what);
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
}
