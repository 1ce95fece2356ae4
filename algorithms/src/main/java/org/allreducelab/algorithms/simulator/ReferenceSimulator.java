package org.allreducelab.algorithms.simulator;

import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.ErrorBound;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.numerics.RoundingDepth;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.ScheduleChecker;
import org.allreducelab.algorithms.schedule.ScheduleReport;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Interprets a schedule on plain byte vectors: the bytes that every device must produce.
 *
 * <p>A combine reads all ranks' values as they were at the start of its round. Each peer's operand,
 * and the rank's own unless the precision keeps it exact, passes the wire type when that is
 * narrower than the element. The first operand starts the accumulator; a zero never does, so that a
 * sum of -0 stays -0. Then the precision's accumulation decides where roundings fall. Every NaN
 * result is the canonical one; a one-operand combine that narrows nothing copies bits, NaN payloads
 * too, and so does everything for one rank.
 *
 * <p>Assumptions and guarantees:
 *
 * <ol>
 *   <li>Vectors are little-endian, one per rank, and are never modified.
 *   <li>The same bytes on every JVM, interpreted or compiled: values are kept as int bits and NaNs
 *       are chosen by integer tests.
 *   <li>Work goes in blocks of elements, so beyond the results memory stays bounded: 8 bytes ×
 *       ranks × at most 32 Ki elements (4 Ki from 64 ranks on).
 *   <li>Instances hold no state between runs and may be shared between threads.
 * </ol>
 */
public final class ReferenceSimulator {
  private static final int LARGEST_BLOCK = 1 << 15;
  private static final int SMALLEST_BLOCK = 1 << 12;

  /**
   * Elements of all ranks together that fit a core's second-level cache with the round's results.
   */
  private static final int BLOCK_BUDGET = 1 << 18;

  private final Schedule schedule;
  private final Precision precision;

  /**
   * @throws IllegalArgumentException if the precision is not defined for the schedule's ranks
   */
  public ReferenceSimulator(Schedule schedule, Precision precision) {
    if (!precision.supportsRanks(schedule.ranks())) {
      throw new IllegalArgumentException(
          "precision "
              + precision.name()
              + " is defined for at most "
              + precision.maxRanks()
              + " ranks, not "
              + schedule.ranks());
    }
    this.schedule = schedule;
    this.precision = precision;
  }

  /**
   * Every rank's result.
   *
   * @param inputs one vector per rank, each of the schedule's count
   * @throws IllegalArgumentException if the number or length of the vectors is wrong
   */
  public byte[][] run(byte[][] inputs) {
    return run(inputs, new Span(0, schedule.count()));
  }

  /**
   * Every rank's result in a window of the vector: the same bytes that a full run has there, for
   * the price of the window.
   *
   * @param inputs whole vectors, one per rank
   * @param window the elements wanted; the results hold these only
   * @throws IllegalArgumentException if the number or length of the vectors is wrong, or the window
   *     goes beyond them
   */
  public byte[][] run(byte[][] inputs, Span window) {
    requireInputs(inputs);
    if (window.end() > schedule.count()) {
      throw new IllegalArgumentException(
          window + " goes beyond the " + schedule.count() + " elements of the vector");
    }
    int ranks = schedule.ranks();
    ElementType element = precision.element();
    byte[][] results = new byte[ranks][window.length() * element.bytes()];
    int blockLength = Math.min(window.length(), blockLength(ranks));
    RankStates states = new RankStates(ranks, blockLength, arithmetic());
    for (int from = window.offset(); from < window.end(); from += blockLength) {
      Span block = Span.between(from, Math.min(from + blockLength, window.end()));
      states.load(inputs, element, block);
      for (Round round : schedule.rounds()) {
        states.apply(round);
      }
      states.store(results, element, from - window.offset());
    }
    return results;
  }

  /**
   * Follows one element through all rounds, on every rank.
   *
   * @param inputs whole vectors, one per rank
   * @param element index of the element
   * @throws IllegalArgumentException if the number or length of the vectors is wrong, or there is
   *     no such element
   */
  public Trace trace(byte[][] inputs, int element) {
    requireInputs(inputs);
    if (element < 0 || element >= schedule.count()) {
      throw new IllegalArgumentException(
          "no element " + element + " in a vector of " + schedule.count());
    }
    RankStates states = new RankStates(schedule.ranks(), 1, arithmetic());
    states.load(inputs, precision.element(), new Span(element, 1));
    int rounds = schedule.rounds().size();
    int[][] history = new int[rounds + 1][];
    history[0] = states.firstElements();
    for (int i = 0; i < rounds; i++) {
      states.apply(schedule.rounds().get(i));
      history[i + 1] = states.firstElements();
    }
    return new Trace(schedule, precision.element(), arithmetic(), element, history);
  }

  /**
   * How far any rank's result may lie from the exact sum, whatever the order within the schedule's
   * depth. Runs the {@link ScheduleChecker}: milliseconds, about a second for 1024 ranks.
   */
  public ErrorBound errorBound() {
    ScheduleReport report = ScheduleChecker.check(schedule, precision);
    int foldingRounds = (int) schedule.rounds().stream().filter(ReferenceSimulator::folds).count();
    int folds = Math.min(foldingRounds, report.addDepth());
    RoundingDepth depth = new RoundingDepth(report.addDepth(), folds, report.wireRoundings());
    return ErrorBound.of(precision, schedule.count(), schedule.ranks(), depth);
  }

  private static boolean folds(Round round) {
    return round.combines().stream().anyMatch(combine -> !combine.isCopy());
  }

  private FoldArithmetic arithmetic() {
    return FoldArithmetic.of(precision, schedule.ranks(), schedule.count());
  }

  private static int blockLength(int ranks) {
    return Math.max(SMALLEST_BLOCK, Math.min(LARGEST_BLOCK, BLOCK_BUDGET / ranks));
  }

  private void requireInputs(byte[][] inputs) {
    if (inputs.length != schedule.ranks()) {
      throw new IllegalArgumentException(
          "the schedule has " + schedule.ranks() + " ranks, not " + inputs.length);
    }
    long bytes = (long) schedule.count() * precision.element().bytes();
    for (int rank = 0; rank < inputs.length; rank++) {
      if (inputs[rank].length != bytes) {
        throw new IllegalArgumentException(
            "rank "
                + rank
                + ": "
                + schedule.count()
                + " "
                + precision.element().label()
                + " elements are "
                + bytes
                + " bytes, not "
                + inputs[rank].length);
      }
    }
  }
}
