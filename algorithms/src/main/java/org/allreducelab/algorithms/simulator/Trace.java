package org.allreducelab.algorithms.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntBinaryOperator;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Schedule;

/**
 * The value of one element on every rank after every round, so that a wrong result can be blamed on
 * the first round that made a wrong value. Values are bits of the element type. Memory is one int
 * per round and rank.
 */
public final class Trace {
  private final Schedule schedule;
  private final ElementType type;
  private final FoldArithmetic arithmetic;
  private final int element;

  /** F32 bits by (rounds done, rank). */
  private final int[][] history;

  Trace(
      Schedule schedule,
      ElementType type,
      FoldArithmetic arithmetic,
      int element,
      int[][] history) {
    this.schedule = schedule;
    this.type = type;
    this.arithmetic = arithmetic;
    this.element = element;
    this.history = history;
  }

  /** Index of the element in the vector. */
  public int element() {
    return element;
  }

  /** Number of rounds. */
  public int rounds() {
    return history.length - 1;
  }

  /** Number of ranks. */
  public int ranks() {
    return schedule.ranks();
  }

  /** What a rank starts with. */
  public int input(int rank) {
    return type.pack(history[0][rank]);
  }

  /** What a rank holds after a round, rounds being counted from 0. */
  public int after(int round, int rank) {
    return type.pack(history[round + 1][rank]);
  }

  /** What a rank ends with. */
  public int result(int rank) {
    return type.pack(history[rounds()][rank]);
  }

  /** The step that writes the element on a rank in a round; empty when the rank keeps its value. */
  public Optional<TraceStep> step(int round, int rank) {
    for (Combine combine : schedule.rounds().get(round).combines()) {
      if (combine.rank() == rank && covers(combine)) {
        return Optional.of(
            new TraceStep(
                round, element, type, combine, operands(round, combine), after(round, rank)));
      }
    }
    return Optional.empty();
  }

  /**
   * The first step whose result is not what was observed: rounds in order, ranks in order. Only
   * what a round writes is compared.
   *
   * @param observed the bits seen by (round, rank), for instance of a run cut off after that round
   */
  public Optional<TraceStep> firstWrong(IntBinaryOperator observed) {
    for (int round = 0; round < rounds(); round++) {
      for (int rank = 0; rank < ranks(); rank++) {
        if (observed.applyAsInt(round, rank) != after(round, rank)) {
          Optional<TraceStep> step = step(round, rank);
          if (step.isPresent()) {
            return step;
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean covers(Combine combine) {
    return combine.span().offset() <= element && element < combine.span().end();
  }

  private List<TraceStep.Operand> operands(int round, Combine combine) {
    int[][] before = new int[ranks()][];
    for (int rank = 0; rank < before.length; rank++) {
      before[rank] = new int[] {history[round][rank]};
    }
    List<TraceStep.Operand> operands = new ArrayList<>();
    int[] entered = new int[1];
    for (int k = 0; k < combine.operandCount(); k++) {
      int rank = combine.operand(k);
      arithmetic.enter(before, combine, k, 0, entered, 0, 1);
      operands.add(new TraceStep.Operand(rank, type.pack(before[rank][0]), type.pack(entered[0])));
    }
    return operands;
  }
}
