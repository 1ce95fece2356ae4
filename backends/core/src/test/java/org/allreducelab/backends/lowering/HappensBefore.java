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
 * of its own, number 1, that was enqueued before everything else: a producer.
 */
final class HappensBefore {
  private final int ranks;
  private final List<History> accesses = new ArrayList<>();
  private final List<List<long[]>> clocksOfRank = new ArrayList<>();

  /** One rank's access to a byte range. */
  private record Access(long from, long to, boolean write, int rank, long value) {}

  /** The accesses to one rank's memories that matter still. */
  private record History(List<Access> send, List<Access> recv, List<Access> slot) {
    List<Access> of(Space space) {
      return switch (space) {
        case SEND -> send;
        case RECV -> recv;
        case SLOT -> slot;
        case NEGATIVE_ZERO -> throw new IllegalArgumentException("no memory: " + space);
      };
    }
  }

  /**
   * A submission.
   *
   * @param rank whose
   * @param value the rank's absolute progress when it is done
   */
  record Point(int rank, long value) {}

  /**
   * Two accesses that nothing orders.
   *
   * @param owner whose memory
   * @param space which memory
   * @param first the earlier submission
   * @param second the later one
   * @param secondWrites whether the later one writes; otherwise the earlier one does
   * @param from first byte that both touch
   * @param to first byte after
   */
  record Conflict(
      int owner, Space space, Point first, Point second, boolean secondWrites, long from, long to) {

    /** The submission that writes. */
    Point writer() {
      return secondWrites ? second : first;
    }

    @Override
    public String toString() {
      return "%s of rank %d [%d,%d): submission %d of rank %d and %d of rank %d (%s) are unordered"
          .formatted(
              space,
              owner,
              from,
              to,
              first.value,
              first.rank,
              second.value,
              second.rank,
              secondWrites ? "writes" : "reads");
    }
  }

  private HappensBefore(int ranks) {
    this.ranks = ranks;
    for (int rank = 0; rank < ranks; rank++) {
      Access inputs = new Access(0, Long.MAX_VALUE, true, rank, 1);
      History history = new History(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      history.send.add(inputs);
      history.recv.add(inputs);
      accesses.add(history);
      long[] produced = new long[ranks];
      produced[rank] = 1;
      clocksOfRank.add(new ArrayList<>(List.of(produced)));
    }
  }

  /** The first unordered conflicting pair, if there is one. */
  static Optional<Conflict> firstConflict(int ranks, List<ProgramInterpreter.Issued> issued) {
    HappensBefore check = new HappensBefore(ranks);
    for (ProgramInterpreter.Issued one : issued) {
      Optional<Conflict> conflict = check.add(one);
      if (conflict.isPresent()) {
        return conflict;
      }
    }
    return Optional.empty();
  }

  private Optional<Conflict> add(ProgramInterpreter.Issued one) {
    int rank = one.submission().rank();
    List<long[]> own = clocksOfRank.get(rank);
    long[] clock = own.get(own.size() - 1).clone();
    merge(clock, one.waits());
    merge(clock, one.lateWaits());
    clock[rank] = one.value();
    own.add(clock);
    for (Kernel kernel : one.submission().kernels()) {
      for (Fold fold : kernel.folds()) {
        for (Source source : fold.sources()) {
          Optional<Conflict> c = access(source.region(), fold.length(), false, rank, clock);
          if (c.isPresent()) {
            return c;
          }
        }
      }
      for (Fold fold : kernel.folds()) {
        Optional<Conflict> c = access(fold.destination(), fold.length(), true, rank, clock);
        Region publish = fold.publish();
        if (c.isEmpty() && publish != null) {
          c = access(publish, fold.length(), true, rank, clock);
        }
        if (c.isPresent()) {
          return c;
        }
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

  private Optional<Conflict> access(
      Region region, int length, boolean write, int rank, long[] clock) {
    if (region.space() == Space.NEGATIVE_ZERO) {
      return Optional.empty();
    }
    long from = region.byteOffset();
    long to = from + (long) length * region.type().bytes();
    List<Access> history = accesses.get(region.rank()).of(region.space());
    for (Access earlier : history) {
      boolean overlap = earlier.from < to && from < earlier.to;
      if (overlap
          && (write || earlier.write)
          && earlier.rank != rank
          && clock[earlier.rank] < earlier.value) {
        return Optional.of(
            new Conflict(
                region.rank(),
                region.space(),
                new Point(earlier.rank, earlier.value),
                new Point(rank, clock[rank]),
                write,
                Math.max(from, earlier.from),
                Math.min(to, earlier.to)));
      }
    }
    if (write) {
      // Ordered after all of these, so whatever is ordered after this write is after them too.
      history.removeIf(earlier -> from <= earlier.from && earlier.to <= to);
    }
    history.add(new Access(from, to, write, rank, clock[rank]));
    return Optional.empty();
  }
}
