package org.allreducelab.backends;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.junit.jupiter.api.Test;

/** Collectives that follow each other, many in flight, without a wait of the host between. */
interface SequencesContract extends ContractTheme {
  @Test
  default void sixtyFourInvocationsWithoutAWait() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              for (String name : List.of("ring", "one-shot", "halving-doubling")) {
                try (ContractBench bench = subject().bench(setup.spec(n), Precision.BF16, 4096)) {
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
  default void aResultIsCompleteForTheCollectiveThatFollows() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              try (ContractBench bench = subject().bench(setup.spec(n), Precision.BF16, 4096)) {
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
  default void twoCollectivesOfDifferentSizesAlternate() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              try (ContractBench bench = subject().bench(setup.spec(n), Precision.F32, 1 << 18)) {
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

  /**
   * Recorded as one: in place each takes the result of the one before, whose slots it may reuse.
   */
  @Test
  default void severalInARowRecordedAsOne() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              try (ContractBench bench = subject().bench(setup.spec(n), Precision.BF16, 4096)) {
                List<Collective> prepared = new ArrayList<>();
                for (String name : List.of("one-shot", "ring", "two-shot", "one-shot:pieces=3")) {
                  prepared.add(bench.prepare(name, 1000, Operands.IN_PLACE, 4));
                  prepared.add(bench.prepare(name, 777, Operands.OUT_OF_PLACE, 3));
                  prepared.add(bench.prepare(name, 50, Operands.IN_PLACE));
                }
                for (Collective c : prepared) {
                  bench.enqueue(c);
                  bench.requireRight("in a row on " + setup);
                }
                prepared.forEach(bench::enqueue);
                bench.requireRight("all of them, one after the other, on " + setup);
              }
            });
  }

  /** Shapes and algorithms change from call to call, many in flight. */
  @Test
  default void randomSequences() {
    Random random = new Random(20);
    List<Algorithm> all = Algorithms.all();
    subject()
        .forEachSetup(
            (setup, n) -> {
              try (ContractBench bench =
                  subject().bench(setup.spec(n), Precision.BF16_F32ACC, 1 << 15)) {
                List<Collective> prepared = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                  String name = all.get(random.nextInt(all.size())).name();
                  Operands operands =
                      random.nextBoolean() ? Operands.IN_PLACE : Operands.OUT_OF_PLACE;
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
}
