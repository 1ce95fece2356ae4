package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Finds conflicting accesses that nothing orders. Who accesses memory does so at points of its own
 * that follow each other; a vector clock says which points of the others lie before. To be told of
 * accesses in an order in which they can happen.
 */
final class Races {
  private final List<History> accesses = new ArrayList<>();

  /** An access to a byte range. */
  private record Access(long from, long to, boolean write, Point by) {}

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
   * When something is accessed.
   *
   * @param actor whose point: a rank, or a stream of several
   * @param value its number among the actor's
   * @param part accesses of different parts of one point may overlap
   */
  record Point(int actor, long value, long part) {}

  /**
   * Two accesses that nothing orders.
   *
   * @param owner whose memory
   * @param space which memory
   * @param first the earlier one
   * @param second the later one
   * @param secondWrites whether the later one writes; otherwise the earlier one does
   * @param from first byte that both touch
   * @param to first byte after
   */
  record Conflict(
      int owner, Space space, Point first, Point second, boolean secondWrites, long from, long to) {

    /** When the writing one happens. */
    Point writer() {
      return secondWrites ? second : first;
    }

    @Override
    public String toString() {
      return "%s of rank %d [%d,%d): %d of %d and %d of %d (%s) are unordered"
          .formatted(
              space,
              owner,
              from,
              to,
              first.value,
              first.actor,
              second.value,
              second.actor,
              secondWrites ? "writes" : "reads");
    }
  }

  /**
   * @param producers per rank, when its inputs are written
   */
  Races(List<Point> producers) {
    for (Point producer : producers) {
      Access inputs = input(producer);
      History history = new History(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      history.send.add(inputs);
      history.recv.add(inputs);
      accesses.add(history);
    }
  }

  /**
   * All accesses of a kernel. Nobody writes SEND but who makes inputs, and that nobody reads the
   * one before any more is for them to see to.
   *
   * @param at when
   * @param clock per actor, its last point that lies before
   * @param inputs per rank, when what SEND must hold for this kernel is made
   */
  Optional<Conflict> add(Kernel kernel, Point at, long[] clock, IntFunction<Point> inputs) {
    for (Fold fold : kernel.folds()) {
      for (Source source : fold.sources()) {
        int owner = source.region().rank();
        if (source.region().space() == Space.SEND) {
          accesses.get(owner).send.set(0, input(inputs.apply(owner)));
        }
      }
    }
    return add(kernel, at, clock);
  }

  private static Access input(Point made) {
    return new Access(0, Long.MAX_VALUE, true, made);
  }

  private Optional<Conflict> add(Kernel kernel, Point at, long[] clock) {
    for (Fold fold : kernel.folds()) {
      for (Source source : fold.sources()) {
        Optional<Conflict> c = access(source.region(), fold.length(), false, at, clock);
        if (c.isPresent()) {
          return c;
        }
      }
    }
    for (Fold fold : kernel.folds()) {
      Optional<Conflict> c = access(fold.destination(), fold.length(), true, at, clock);
      Region publish = fold.publish();
      if (c.isEmpty() && publish != null) {
        c = access(publish, fold.length(), true, at, clock);
      }
      if (c.isPresent()) {
        return c;
      }
    }
    return Optional.empty();
  }

  private Optional<Conflict> access(
      Region region, int length, boolean write, Point at, long[] clock) {
    if (region.space() == Space.NEGATIVE_ZERO) {
      return Optional.empty();
    }
    long from = region.byteOffset();
    long to = from + (long) length * region.type().bytes();
    List<Access> history = accesses.get(region.rank()).of(region.space());
    for (Access earlier : history) {
      boolean overlap = earlier.from < to && from < earlier.to;
      if (overlap && (write || earlier.write) && !isBefore(earlier.by, at, clock)) {
        return Optional.of(
            new Conflict(
                region.rank(),
                region.space(),
                earlier.by,
                at,
                write,
                Math.max(from, earlier.from),
                Math.min(to, earlier.to)));
      }
    }
    if (write) {
      // Ordered after all of these, so whatever is ordered after this write is after them too.
      history.removeIf(earlier -> from <= earlier.from && earlier.to <= to);
    }
    if (region.space() != Space.SEND) {
      history.add(new Access(from, to, write, at));
    }
    return Optional.empty();
  }

  private static boolean isBefore(Point earlier, Point at, long[] clock) {
    return earlier.actor == at.actor
        ? earlier.value < at.value || earlier.part == at.part
        : clock[earlier.actor] >= earlier.value;
  }
}
