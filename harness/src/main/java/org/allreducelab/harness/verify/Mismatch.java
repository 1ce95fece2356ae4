package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.algorithms.simulator.TraceStep;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Operands;

/** Explains a mismatch: which element, which round made it, and from what. */
final class Mismatch {
  private final Expectation expected;
  private final TestVectors data;
  private final int inARow;

  /**
   * @param inARow how many executions were recorded as one; {@code expected} is of the last
   */
  Mismatch(Expectation expected, TestVectors data, int inARow) {
    this.expected = expected;
    this.data = data;
    this.inARow = inARow;
  }

  /** One or more lines; runs prefixes of the schedule on the group. */
  List<String> explain(
      GroupRunner runner, Operands operands, GroupRunner.Outcome outcome, Judgement judgement) {
    List<String> lines = new ArrayList<>();
    if (outcome.overrunRank() >= 0) {
      lines.add("rank " + outcome.overrunRank() + ": memory beyond the vector was written");
    }
    if (judgement.rank() >= 0) {
      lines.add(element(outcome.vectors(), judgement));
      lines.add(round(runner, operands, judgement));
    }
    return lines;
  }

  private String element(RankVectors actual, Judgement judgement) {
    ElementType type = expected.precision().element();
    int element = judgement.element();
    byte[] got = actual.vectors().get(actual.ranks().indexOf(judgement.rank()));
    byte[] want = expected.results()[judgement.rank()];
    return String.format(
        "rank %d, element %d (%s): expected %s, got %s; %d of %d elements of all ranks differ",
        judgement.rank(),
        element,
        data.kindOf(element).label(),
        Bits.shown(type, type.get(want, element)),
        Bits.shown(type, type.get(got, element)),
        judgement.differing(),
        (long) actual.ranks().size() * expected.schedule().count());
  }

  private String round(GroupRunner runner, Operands operands, Judgement judgement) {
    ElementType type = expected.precision().element();
    Optional<FirstWrongRound> found;
    try {
      found =
          FirstWrongRound.find(
              runner, expected.schedule(), expected.precision(), operands, expected.inputs());
    } catch (BackendException e) {
      return "first wrong round: not found, " + e.getMessage();
    }
    if (found.isPresent()) {
      return "first wrong round: "
          + found.get().step().describe()
          + ", got "
          + Bits.hex(type, found.get().actual());
    }
    return "first wrong round: none when the rounds run alone, so the fault is transient"
        + (inARow == 1 ? "" : ", or lies in how executions follow each other")
        + "; the value comes from "
        + lastStep(judgement).map(TraceStep::describe).orElse("the rank's own input");
  }

  private Optional<TraceStep> lastStep(Judgement judgement) {
    var trace =
        new ReferenceSimulator(expected.schedule(), expected.precision())
            .trace(expected.inputs(), judgement.element());
    for (int round = trace.rounds() - 1; round >= 0; round--) {
      Optional<TraceStep> step = trace.step(round, judgement.rank());
      if (step.isPresent()) {
        return step;
      }
    }
    return Optional.empty();
  }
}
