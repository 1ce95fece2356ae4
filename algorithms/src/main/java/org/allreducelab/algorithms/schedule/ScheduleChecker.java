package org.allreducelab.algorithms.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;

/**
 * Runs a schedule on symbols instead of numbers. What it finds holds for all inputs: that every
 * rank ends with the sum of every rank exactly once, and that all ranks end with the same bytes.
 *
 * <p>The state is, for each rank and each {@linkplain ElementaryIntervals elementary interval}, the
 * id of a {@linkplain SumTrees tree}. Trees differ where bytes may differ: in the shape of the sum,
 * in where a sum was rounded to the element type, in which values passed a narrower wire. They are
 * equal where bytes are equal for sure: addition commutes, and narrowing twice is narrowing once. A
 * reported disagreement is therefore possible, not certain, for given inputs.
 *
 * <p>Cost: a table lookup per (combine, interval, operand), and memory for ranks × intervals ids
 * and the distinct trees.
 */
public final class ScheduleChecker {
  private final Schedule schedule;
  private final boolean narrowing;
  private final boolean narrowsOwn;
  private final boolean roundsOncePerCombine;

  private final ElementaryIntervals intervals;
  private final SumTrees trees;

  /** Tree ids by rank × intervals + interval. */
  private final int[] state;

  /** One more than the last round in which a peer read the cell. */
  private final int[] lastPeerRead;

  private final long[] received;
  private int[] results = new int[64];

  private ScheduleChecker(Schedule schedule, Precision precision) {
    this.schedule = schedule;
    // One rank copies raw bytes: nothing crosses a wire.
    this.narrowing = schedule.ranks() > 1 && precision.narrowsWire(schedule.count());
    this.narrowsOwn = narrowing && precision.ownOperand() == OwnOperand.WIRE;
    // Where all sums are rounded alike, be it each or none, no tree need say so.
    this.roundsOncePerCombine =
        precision.accumulate() == Accumulate.F32 && precision.element() != ElementType.F32;
    this.intervals = ElementaryIntervals.of(schedule);
    this.trees = new SumTrees(schedule.ranks());
    this.state = new int[Math.multiplyExact(schedule.ranks(), intervals.size())];
    this.lastPeerRead = new int[state.length];
    this.received = new long[schedule.ranks()];
    for (int rank = 0; rank < schedule.ranks(); rank++) {
      Arrays.fill(state, cell(rank, 0), cell(rank + 1, 0), rank);
    }
  }

  /**
   * Checks a schedule.
   *
   * @param schedule the schedule; not changed
   * @param precision decides which values are rounded and narrowed. Its limit on ranks is not
   *     checked
   * @throws ArithmeticException if ranks × elementary intervals overflows an int
   */
  public static ScheduleReport check(Schedule schedule, Precision precision) {
    ScheduleChecker checker = new ScheduleChecker(schedule, precision);
    List<Integer> snapshotRounds = checker.run();
    return checker.report(snapshotRounds, precision);
  }

  private List<Integer> run() {
    List<Integer> snapshotRounds = new ArrayList<>();
    int index = 0;
    for (Round round : schedule.rounds()) {
      read(round, index);
      if (write(round, index)) {
        snapshotRounds.add(index);
      }
      index++;
    }
    return snapshotRounds;
  }

  /** Computes every combine of the round from the state before it. */
  private void read(Round round, int index) {
    int used = 0;
    for (Combine combine : round.combines()) {
      Span span = combine.span();
      received[combine.rank()] += (long) combine.remoteOperandCount() * span.length();
      if (span.isEmpty()) {
        continue;
      }
      int end = intervals.startingAt(span.end());
      for (int i = intervals.startingAt(span.offset()); i < end; i++) {
        if (used == results.length) {
          results = Arrays.copyOf(results, used * 2);
        }
        results[used++] = fold(combine, i, index);
      }
    }
  }

  /** Stores the results; true if a peer read what its owner now overwrites. */
  private boolean write(Round round, int index) {
    boolean needsSnapshot = false;
    int used = 0;
    for (Combine combine : round.combines()) {
      Span span = combine.span();
      if (span.isEmpty()) {
        continue;
      }
      int from = cell(combine.rank(), intervals.startingAt(span.offset()));
      int to = cell(combine.rank(), intervals.startingAt(span.end()));
      boolean writes = !isNothing(combine);
      for (int cell = from; cell < to; cell++) {
        needsSnapshot |= writes && lastPeerRead[cell] == index + 1;
        state[cell] = results[used++];
      }
    }
    return needsSnapshot;
  }

  private boolean isNothing(Combine combine) {
    return combine.isCopy() && combine.operand(0) == combine.rank() && !narrowsOwn;
  }

  private int fold(Combine combine, int interval, int index) {
    int sum = operand(combine, 0, interval, index);
    for (int k = 1; k < combine.operandCount(); k++) {
      sum = trees.add(sum, operand(combine, k, interval, index));
    }
    return roundsOncePerCombine ? trees.rounded(sum) : sum;
  }

  private int operand(Combine combine, int k, int interval, int index) {
    int source = combine.operand(k);
    int cell = cell(source, interval);
    boolean own = source == combine.rank();
    if (!own) {
      lastPeerRead[cell] = index + 1;
    }
    return narrowing && (narrowsOwn || !own) ? trees.wired(state[cell]) : state[cell];
  }

  private int cell(int rank, int interval) {
    return rank * intervals.size() + interval;
  }

  private ScheduleReport report(List<Integer> snapshotRounds, Precision precision) {
    int addDepth = 0;
    int wireRoundings = 0;
    for (int tree : state) {
      addDepth = Math.max(addDepth, trees.addDepth(tree));
      wireRoundings = Math.max(wireRoundings, trees.wireRoundings(tree));
    }
    return new ScheduleReport(
        firstFault(),
        firstDisagreement(),
        addDepth,
        wireRoundings,
        LongStream.of(received).boxed().toList(),
        precision.wireFor(schedule.count()).bytes(),
        snapshotRounds);
  }

  private Optional<String> firstFault() {
    for (int cell = 0; cell < state.length; cell++) {
      int tree = state[cell];
      if (!trees.hasEveryRankOnce(tree)) {
        int rank = cell / intervals.size();
        int from = cell % intervals.size();
        int to = from + 1;
        while (to < intervals.size() && state[cell(rank, to)] == tree) {
          to++;
        }
        return Optional.of(
            "rank %d, elements %s: %s"
                .formatted(rank, elements(from, to), FaultWords.describe(trees.occurrences(tree))));
      }
    }
    return Optional.empty();
  }

  private Optional<String> firstDisagreement() {
    for (int cell = 0; cell < state.length; cell++) {
      int rank = cell / intervals.size();
      int from = cell % intervals.size();
      if (state[cell] != state[from]) {
        int to = from + 1;
        while (to < intervals.size() && state[cell(rank, to)] != state[to]) {
          to++;
        }
        return Optional.of(
            "ranks 0 and %d, elements %s: added or rounded in another order"
                .formatted(rank, elements(from, to)));
      }
    }
    return Optional.empty();
  }

  private String elements(int from, int to) {
    Span span = intervals.span(from, to);
    return "[" + span.offset() + "," + span.end() + ")";
  }
}
