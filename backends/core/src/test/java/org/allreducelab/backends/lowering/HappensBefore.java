package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Proves that every two conflicting accesses of different ranks are ordered by the waits: the
 * program is free of races, so every execution gives the bytes of the one in enqueue order.
 *
 * <p>Each submission gets a vector clock: the merge of its rank's previous one and of those it
 * waits for. As waits only refer to submissions enqueued before, one pass in enqueue order sees
 * every conflicting pair with the later access second. Each rank's inputs count as written by work
 * of its own, number 1, that was enqueued before everything else: a producer. What a peer reads in
 * SEND counts as written again for every repetition of every invocation, after all that the owner
 * did before.
 */
final class HappensBefore {
  private final int ranks;
  private final Races races;
  private final List<List<long[]>> clocksOfRank = new ArrayList<>();

  private HappensBefore(int ranks) {
    this.ranks = ranks;
    List<Races.Point> producers = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      producers.add(new Races.Point(rank, 1, 1));
      long[] produced = new long[ranks];
      produced[rank] = 1;
      clocksOfRank.add(new ArrayList<>(List.of(produced)));
    }
    races = new Races(producers);
  }

  /** The first unordered conflicting pair, if there is one; its actors are ranks. */
  static Optional<Races.Conflict> firstConflict(int ranks, List<ProgramInterpreter.Issued> issued) {
    HappensBefore check = new HappensBefore(ranks);
    for (ProgramInterpreter.Issued one : issued) {
      Optional<Races.Conflict> conflict = check.add(one);
      if (conflict.isPresent()) {
        return conflict;
      }
    }
    return Optional.empty();
  }

  private Optional<Races.Conflict> add(ProgramInterpreter.Issued one) {
    int rank = one.submission().rank();
    List<long[]> own = clocksOfRank.get(rank);
    long[] clock = own.get(own.size() - 1).clone();
    merge(clock, one.waits());
    merge(clock, one.lateWaits());
    clock[rank] = one.value();
    own.add(clock);
    for (Kernel kernel : one.submission().kernels()) {
      Races.Point at = new Races.Point(rank, one.value(), one.value());
      long[] inputs = one.inputs().get(kernel.repetition());
      Optional<Races.Conflict> conflict =
          races.add(
              kernel, at, clock, owner -> new Races.Point(owner, inputs[owner], inputs[owner]));
      if (conflict.isPresent()) {
        return conflict;
      }
    }
    return Optional.empty();
  }

  private void merge(long[] clock, List<long[]> waits) {
    for (long[] wait : waits) {
      long[] other = clocksOfRank.get((int) wait[0]).get((int) wait[1] - 1);
      for (int i = 0; i < ranks; i++) {
        clock[i] = Math.max(clock[i], other[i]);
      }
    }
  }
}
