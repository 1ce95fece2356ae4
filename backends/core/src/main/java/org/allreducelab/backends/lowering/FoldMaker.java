package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.ElementaryIntervals;
import org.allreducelab.algorithms.schedule.Schedule;

/**
 * Makes the folds of kernels: combines cut into contiguous runs, and publishes, with their slots.
 */
final class FoldMaker {
  private final ElementType element;
  private final ElementType wire;
  private final ElementaryIntervals intervals;
  private final RankValues values;
  private final SubmissionLog log;
  private final SlotAllocator[] slots;

  /** The folds of one kernel, and the slots that they publish into. */
  static final class Made {
    private final List<Fold> folds = new ArrayList<>(1);
    private final List<Slot> slots = new ArrayList<>(1);

    List<Fold> folds() {
      return folds;
    }

    /** The owner's progress when the kernel is done. */
    void writtenAt(int value) {
      for (Slot slot : slots) {
        slot.writtenAt = value;
      }
    }
  }

  FoldMaker(Schedule schedule, Precision precision, RankValues values, SubmissionLog log) {
    element = precision.element();
    wire = precision.wireFor(schedule.count());
    intervals = values.intervals();
    this.values = values;
    this.log = log;
    slots = new SlotAllocator[schedule.ranks()];
    for (int rank = 0; rank < slots.length; rank++) {
      slots[rank] = new SlotAllocator();
    }
  }

  /** Staging memory each rank needs so far, in bytes. */
  long[] slotBytes() {
    long[] bytes = new long[slots.length];
    for (int rank = 0; rank < bytes.length; rank++) {
      bytes[rank] = slots[rank].peakBytes();
    }
    return bytes;
  }

  /**
   * Publishes present values of a rank, first of what a kernel does: devices start folds in that
   * order, and a link carries both directions best if writes start first.
   *
   * @param due which of its intervals
   */
  void publish(int rank, IntervalSets due, Made to) {
    if (due.next(rank, 0) < 0) {
      return;
    }
    List<Fold> folds = new ArrayList<>();
    int after;
    for (int from = due.next(rank, 0); from >= 0; from = due.next(rank, after)) {
      Space location = values.location(rank, from);
      List<Version> versions = new ArrayList<>();
      after = from;
      do {
        versions.add(values.current(rank, after));
        after++;
      } while (due.contains(rank, after) && values.location(rank, after) == location);
      Region slot = takeSlot(rank, from, versions, to);
      Source source = new Source(at(rank, location, from), false);
      folds.add(new Fold(slot, null, lengthOf(from, after), List.of(source)));
    }
    to.folds.addAll(0, folds);
  }

  /** Folds a combine's operands; cut where they, or the need to publish, stop being contiguous. */
  void fold(PlacedCombine placed, Made to) {
    Combine c = placed.combine();
    int after = placed.after();
    int i = placed.from();
    while (i < after) {
      if (!values.changes(c, i)) {
        i++;
        continue;
      }
      int from = i;
      List<Source> sources = sources(c, from);
      List<Version> results = new ArrayList<>(1);
      boolean publishes = values.next(c.rank(), from).staged;
      do {
        results.add(values.next(c.rank(), i));
        i++;
      } while (i < after
          && values.changes(c, i)
          && values.next(c.rank(), i).staged == publishes
          && continues(sources, sources(c, i), lengthOf(from, i)));
      Region publish = publishes ? takeSlot(c.rank(), from, results, to) : null;
      Region destination = at(c.rank(), Space.RECV, from);
      to.folds.add(new Fold(destination, publish, lengthOf(from, i), sources));
    }
  }

  /** Allocates a slot for versions of neighbouring intervals, and notes it in them. */
  private Region takeSlot(int rank, int from, List<Version> versions, Made to) {
    long phase = (long) startOf(from) * wire.bytes();
    long bytes = (long) lengthOf(from, from + versions.size()) * wire.bytes();
    Slot slot = slots[rank].allocate(bytes, phase, log.clock(rank));
    for (int i = 0; i < versions.size(); i++) {
      Version version = versions.get(i);
      version.slot = slot;
      version.slotOffset = slot.start + (long) lengthOf(from, from + i) * wire.bytes();
      slot.pendingReads += version.reads;
    }
    to.slots.add(slot);
    return new Region(rank, Space.SLOT, slot.start, wire);
  }

  private List<Source> sources(Combine c, int interval) {
    List<Source> sources = new ArrayList<>(c.operandCount());
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      Space location = values.location(peer, interval);
      if (location == Space.NEGATIVE_ZERO) {
        sources.add(new Source(new Region(c.rank(), location, 0, element), false));
      } else if (peer == c.rank()) {
        sources.add(new Source(at(peer, location, interval), values.narrowsOwn()));
      } else {
        Version version = values.current(peer, interval);
        Region region =
            version.staged
                ? new Region(peer, Space.SLOT, version.slotOffset, wire)
                : at(peer, location, interval);
        sources.add(new Source(region, false));
      }
    }
    return sources;
  }

  private static boolean continues(List<Source> from, List<Source> next, int elements) {
    for (int k = 0; k < from.size(); k++) {
      Region a = from.get(k).region();
      Region b = next.get(k).region();
      long step = a.space() == Space.NEGATIVE_ZERO ? 0 : (long) elements * a.type().bytes();
      if (a.rank() != b.rank()
          || a.space() != b.space()
          || a.byteOffset() + step != b.byteOffset()) {
        return false;
      }
    }
    return true;
  }

  private Region at(int rank, Space space, int interval) {
    long offset = (long) startOf(interval) * element.bytes();
    return new Region(rank, space, offset, element);
  }

  private int startOf(int interval) {
    return intervals.span(interval, interval + 1).offset();
  }

  private int lengthOf(int from, int to) {
    return intervals.span(from, to).length();
  }
}
