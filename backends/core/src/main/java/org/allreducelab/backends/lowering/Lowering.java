package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.ElementaryIntervals;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Turns a schedule into a {@link Program}: kernels, the slots that values are staged in, and the
 * waits between ranks.
 *
 * <ul>
 *   <li>With {@link Transport#STAGED_HOST} every value that a peer reads is published to a slot of
 *       its owner. With {@link Transport#DIRECT} only those are that the wire narrows, or that
 *       their owner overwrites while a peer reads them.
 *   <li>A fold publishes its own result (one kernel); only initial values need a publish of their
 *       own. A rank publishes what the first round needs at the start, and what another round needs
 *       along with the fold of the round before it: a link then carries both directions at once.
 *   <li>Waits come from hazards over regions: a read waits for the write it reads, a write to RECV
 *       for the peers that still read the old value; slots are reused only when that needs no wait.
 *       What is implied by other waits is left out.
 *   <li>A read of an initial value in place waits for {@link Wait#START}: for what the owner was
 *       given to do before this invocation, among it whoever produced the value.
 *   <li>An inactive rank's initial value is the constant −0, which nobody reads from memory.
 *   <li>Repetitions follow each other as invocations do, with each rank's inputs as if made anew
 *       from what it has done so far: published again, and read in place only after that. But slots
 *       are known to be free across them, and a publish that needs no wait joins the submission
 *       that ends the repetition before.
 * </ul>
 *
 * <p>Submissions come in one global order, round by round: first all ranks' publishes, then all
 * ranks' folds. Every wait refers to something before it in that order, so queues may be shared.
 */
public final class Lowering {
  /** The rank that relays when {@link Barrier#RELAY} is asked for. */
  private static final int HUB = 0;

  private final Schedule schedule;
  private final Precision precision;
  private final Operands operands;
  private final Barrier barrier;
  private final Set<Integer> inactive;
  private final int ranks;
  private final ElementType element;
  private final ElementType wire;
  private final boolean narrowsOwn;
  private final boolean alwaysStaged;
  private final ElementaryIntervals intervals;
  private ValueMap values;
  private VersionTable versions;
  private final SubmissionLog log;
  private final SlotAllocator[] slots;

  /**
   * {@code [rank][interval]}: value of the submission that wrote the present value; for an input
   * the one that was the rank's last when the repetition began, 0 for none.
   */
  private final int[][] writtenAt;

  /**
   * {@code [rank][interval][peer]}: value of the peer's last in-place read of the present value.
   */
  private final int[][] @Nullable [] readInPlace;

  private final int[][] lastReadBy;

  /**
   * Lowers a schedule.
   *
   * @param schedule a correct all-reduce
   * @param precision the arithmetic; its wire type decides what must be staged
   * @param transport how peers' values are reached
   * @param operands whether the input is SEND or RECV
   * @param barrier how rounds with many waits are synchronised
   * @param inactiveRanks ranks that contribute −0
   * @throws IllegalArgumentException if the precision is not defined for that many ranks
   */
  public static Program lower(
      Schedule schedule,
      Precision precision,
      Transport transport,
      Operands operands,
      Barrier barrier,
      Set<Integer> inactiveRanks) {
    return lower(schedule, precision, transport, operands, barrier, inactiveRanks, 1);
  }

  /**
   * Lowers a schedule that is executed several times in a row; otherwise as above.
   *
   * @param repetitions how often, ≥ 1
   */
  public static Program lower(
      Schedule schedule,
      Precision precision,
      Transport transport,
      Operands operands,
      Barrier barrier,
      Set<Integer> inactiveRanks,
      int repetitions) {
    if (repetitions < 1) {
      throw new IllegalArgumentException("at least 1 repetition, not " + repetitions);
    }
    if (!precision.supportsRanks(schedule.ranks())) {
      throw new IllegalArgumentException(
          precision.name() + " is defined for at most " + precision.maxRanks() + " ranks");
    }
    return new Lowering(schedule, precision, transport, operands, barrier, inactiveRanks)
        .run(repetitions);
  }

  private Lowering(
      Schedule schedule,
      Precision precision,
      Transport transport,
      Operands operands,
      Barrier barrier,
      Set<Integer> inactive) {
    this.schedule = schedule;
    this.precision = precision;
    this.operands = operands;
    this.barrier = barrier;
    this.inactive = inactive;
    ranks = schedule.ranks();
    element = precision.element();
    wire = precision.wireFor(schedule.count());
    boolean narrows = ranks > 1 && wire != element;
    narrowsOwn = narrows && precision.ownOperand() == OwnOperand.WIRE;
    intervals = ElementaryIntervals.of(schedule);
    int n = intervals.size();
    alwaysStaged = transport == Transport.STAGED_HOST || narrows;
    values = initialValues();
    versions = versions();
    log = new SubmissionLog(ranks, transport == Transport.DIRECT);
    slots = new SlotAllocator[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      slots[rank] = new SlotAllocator(ranks);
    }
    writtenAt = new int[ranks][n];
    readInPlace = new int[ranks][n][];
    lastReadBy = new int[ranks][ranks];
  }

  private ValueMap initialValues() {
    return new ValueMap(ranks, intervals.size(), operands, inactive, narrowsOwn);
  }

  private VersionTable versions() {
    return new VersionTable(schedule, intervals, initialValues(), alwaysStaged);
  }

  private Program run(int repetitions) {
    int[][] starts = new int[repetitions][];
    for (int repetition = 0; repetition < repetitions; repetition++) {
      if (repetition > 0) {
        beginAgain();
      }
      starts[repetition] = log.progress();
      executeRounds();
    }
    long[] slotBytes = new long[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      slotBytes[rank] = slots[rank].peakBytes();
    }
    return new Program(
        ranks, schedule.count(), precision, log.submissions(), lastReadBy, slotBytes, starts);
  }

  /** Values are inputs again: in RECV what is there, in SEND as if its rank had just made it. */
  private void beginAgain() {
    values = initialValues();
    versions = versions();
    int[] progress = log.progress();
    for (int rank = 0; operands == Operands.OUT_OF_PLACE && rank < ranks; rank++) {
      Arrays.fill(writtenAt[rank], progress[rank]);
    }
  }

  private void executeRounds() {
    List<Round> rounds = schedule.rounds();
    if (!rounds.isEmpty()) {
      publishInitialValues(rounds.get(0));
    }
    for (int number = 0; number < rounds.size(); number++) {
      List<List<Combine>> byRank = byRank(rounds.get(number));
      boolean[][] ahead =
          number + 1 < rounds.size()
              ? due(rounds.get(number + 1))
              : new boolean[ranks][intervals.size()];
      byRank.forEach(combines -> withoutChanged(ahead, combines));
      fold(number, byRank, ahead);
    }
  }

  private List<List<Combine>> byRank(Round round) {
    List<List<Combine>> result = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      result.add(new ArrayList<>());
    }
    for (Combine c : round.combines()) {
      if (!c.span().isEmpty()) {
        result.get(c.rank()).add(c);
      }
    }
    return result;
  }

  // --- publishing initial values --------------------------------------------------------------

  private void publishInitialValues(Round round) {
    boolean[][] due = due(round);
    for (int rank = 0; rank < ranks; rank++) {
      List<Slot> taken = new ArrayList<>();
      List<Fold> folds = publishes(rank, due[rank], taken);
      if (!folds.isEmpty()) {
        int value = log.append(rank, new Kernel(0, Kernel.Kind.PUBLISH, folds), List.of());
        taken.forEach(slot -> slot.writtenAt = value);
      }
    }
  }

  /** Which present values of each rank a round reads staged that have not been published. */
  private boolean[][] due(Round round) {
    boolean[][] due = new boolean[ranks][intervals.size()];
    for (Combine c : round.combines()) {
      for (int k = 0; k < c.operandCount() && !c.span().isEmpty(); k++) {
        int peer = c.operand(k);
        if (peer == c.rank()) {
          continue;
        }
        for (int i = intervals.startingAt(c.span().offset());
            i < intervals.startingAt(c.span().end());
            i++) {
          Version read = current(peer, i);
          if (read.staged && read.slot == null) {
            due[peer][i] = true;
          }
        }
      }
    }
    return due;
  }

  /** Values that the present round replaces are published by that. */
  private void withoutChanged(boolean[][] due, List<Combine> combines) {
    for (Combine c : combines) {
      for (int i = intervals.startingAt(c.span().offset());
          i < intervals.startingAt(c.span().end());
          i++) {
        if (values.changes(c, i)) {
          due[c.rank()][i] = false;
        }
      }
    }
  }

  private List<Fold> publishes(int rank, boolean[] due, List<Slot> taken) {
    List<Fold> folds = new ArrayList<>();
    for (int i = 0; i < due.length; i++) {
      if (!due[i]) {
        continue;
      }
      int from = i;
      while (i + 1 < due.length
          && due[i + 1]
          && values.location(rank, i + 1) == values.location(rank, from)) {
        i++;
      }
      Region region = takeSlot(rank, from, i + 1, taken, 0);
      Source source = new Source(at(rank, values.location(rank, from), from), false);
      folds.add(new Fold(region, null, lengthOf(from, i + 1), List.of(source)));
    }
    return folds;
  }

  /**
   * Allocates a slot for intervals {@code [from, to)} and notes it in their versions.
   *
   * @param ahead 0 for the present versions, 1 for those that the kernel being made creates
   */
  private Region takeSlot(int rank, int from, int to, List<Slot> taken, int ahead) {
    long phase = (long) startOf(from) * wire.bytes();
    long bytes = (long) lengthOf(from, to) * wire.bytes();
    Slot slot = slots[rank].allocate(bytes, phase, log.clock(rank));
    for (int i = from; i < to; i++) {
      Version version = versions.get(rank, i, values.version(rank, i) + ahead);
      version.slot = slot;
      version.slotOffset = slot.start + (long) lengthOf(from, i) * wire.bytes();
      slot.pendingReads += version.reads;
    }
    taken.add(slot);
    return new Region(rank, Space.SLOT, slot.start, wire);
  }

  // --- folding ----------------------------------------------------------------------------------

  private void fold(int number, List<List<Combine>> byRank, boolean[][] ahead) {
    int[][] required = new int[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      required[rank] = requirements(rank, byRank.get(rank));
    }
    int relayedAt = relay(number, required);
    List<Runnable> writes = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      foldOneRank(number, rank, byRank.get(rank), required[rank], relayedAt, ahead[rank], writes);
    }
    // Only now: every combine of a round reads the state before it.
    writes.forEach(Runnable::run);
  }

  private void foldOneRank(
      int number,
      int rank,
      List<Combine> combines,
      int[] required,
      int relayedAt,
      boolean[] ahead,
      List<Runnable> writes) {
    List<Wait> waits = log.reduce(rank, required);
    if (relayedAt > 0 && rank != HUB && waits.size() > 1) {
      waits = List.of(new Wait(HUB, relayedAt));
    }
    log.learn(rank, waits);
    List<Fold> folds = new ArrayList<>();
    List<Slot> taken = new ArrayList<>();
    for (Combine c : combines) {
      addFolds(c, folds, taken);
    }
    Kernel.Kind kind = folds.isEmpty() ? Kernel.Kind.PUBLISH : Kernel.Kind.FOLD;
    // Devices start them in this order; a link carries both directions best if writes start first.
    folds.addAll(0, publishes(rank, ahead, taken));
    if (folds.isEmpty()) {
      return;
    }
    int value = log.append(rank, new Kernel(number, kind, folds), waits);
    taken.forEach(slot -> slot.writtenAt = value);
    for (Combine c : combines) {
      noteReads(c, value);
      writes.add(() -> noteWrites(c, value));
    }
  }

  /**
   * If relaying saves waits in this round, does so; returns the hub's progress after it, or 0.
   * Waits for the start do not count: mostly they are satisfied, and then cost nothing.
   */
  private int relay(int number, int[][] required) {
    if (barrier != Barrier.RELAY) {
      return 0;
    }
    int pairwise = 0;
    for (int rank = 0; rank < ranks; rank++) {
      for (Wait wait : log.reduce(rank, required[rank])) {
        pairwise += wait.value() > Wait.START ? 1 : 0;
      }
    }
    return pairwise > 2 * (ranks - 1) ? log.relay(HUB, number, required) : 0;
  }

  /**
   * Per peer, the progress that the rank's combines of this round need; {@link
   * SubmissionLog#NOTHING} for none.
   */
  private int[] requirements(int rank, List<Combine> combines) {
    int[] required = new int[ranks];
    Arrays.fill(required, SubmissionLog.NOTHING);
    for (Combine c : combines) {
      for (int i = intervals.startingAt(c.span().offset());
          i < intervals.startingAt(c.span().end());
          i++) {
        if (!values.changes(c, i)) {
          continue;
        }
        for (int k = 0; k < c.operandCount(); k++) {
          int peer = c.operand(k);
          if (peer != rank && values.location(peer, i) != Space.NEGATIVE_ZERO) {
            required[peer] = Math.max(required[peer], availableAt(peer, i));
          }
        }
        int[] readers = readInPlace[rank][i];
        for (int peer = 0; readers != null && peer < ranks; peer++) {
          if (readers[peer] > 0) {
            required[peer] = Math.max(required[peer], readers[peer]);
          }
        }
      }
    }
    required[rank] = SubmissionLog.NOTHING;
    return required;
  }

  /** The owner's progress from which on its present value of the interval may be read. */
  private int availableAt(int owner, int interval) {
    Slot slot = current(owner, interval).slot;
    if (slot != null) {
      return slot.writtenAt;
    }
    // 0 where it was never written: the start of the invocation.
    return writtenAt[owner][interval];
  }

  /** Cuts a combine where its sources or its need to publish stop being contiguous. */
  private void addFolds(Combine c, List<Fold> folds, List<Slot> taken) {
    int after = intervals.startingAt(c.span().end());
    int i = intervals.startingAt(c.span().offset());
    while (i < after) {
      if (!values.changes(c, i)) {
        i++;
        continue;
      }
      int from = i;
      List<Source> sources = sources(c, from);
      boolean publishes = next(c.rank(), from).staged;
      i++;
      while (i < after
          && values.changes(c, i)
          && next(c.rank(), i).staged == publishes
          && continues(sources, sources(c, i), lengthOf(from, i))) {
        i++;
      }
      Region publish = publishes ? takeSlot(c.rank(), from, i, taken, 1) : null;
      Region destination = at(c.rank(), Space.RECV, from);
      folds.add(new Fold(destination, publish, lengthOf(from, i), sources));
    }
  }

  private List<Source> sources(Combine c, int interval) {
    List<Source> sources = new ArrayList<>(c.operandCount());
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      Space location = values.location(peer, interval);
      if (location == Space.NEGATIVE_ZERO) {
        sources.add(new Source(new Region(c.rank(), location, 0, element), false));
      } else if (peer == c.rank()) {
        sources.add(new Source(at(peer, location, interval), narrowsOwn));
      } else {
        Version version = current(peer, interval);
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

  private void noteReads(Combine c, int value) {
    for (int i = intervals.startingAt(c.span().offset());
        i < intervals.startingAt(c.span().end());
        i++) {
      if (!values.changes(c, i)) {
        continue;
      }
      for (int k = 0; k < c.operandCount(); k++) {
        int peer = c.operand(k);
        if (peer != c.rank()) {
          noteRead(peer, i, c.rank(), value);
        }
      }
    }
  }

  private void noteRead(int owner, int interval, int reader, int value) {
    Space location = values.location(owner, interval);
    if (location == Space.NEGATIVE_ZERO) {
      return;
    }
    Slot slot = current(owner, interval).slot;
    if (slot != null) {
      slot.pendingReads--;
      slot.readBy[reader] = value;
      lastReadBy[owner][reader] = value;
    } else if (location == Space.RECV) {
      int[] readers = readInPlace[owner][interval];
      if (readers == null) {
        readers = new int[ranks];
        readInPlace[owner][interval] = readers;
      }
      readers[reader] = value;
      lastReadBy[owner][reader] = value;
    }
  }

  private void noteWrites(Combine c, int value) {
    for (int i = intervals.startingAt(c.span().offset());
        i < intervals.startingAt(c.span().end());
        i++) {
      if (values.changes(c, i)) {
        values.write(c.rank(), i);
        writtenAt[c.rank()][i] = value;
        readInPlace[c.rank()][i] = null;
      }
    }
  }

  private Version current(int rank, int interval) {
    return versions.get(rank, interval, values.version(rank, interval));
  }

  private Version next(int rank, int interval) {
    return versions.get(rank, interval, values.version(rank, interval) + 1);
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
