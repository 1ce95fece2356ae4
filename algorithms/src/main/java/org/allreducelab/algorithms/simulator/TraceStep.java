package org.allreducelab.algorithms.simulator;

import java.util.List;
import java.util.stream.Collectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.schedule.Combine;

/**
 * What made one element's value on one rank in one round.
 *
 * @param round the round, from 0
 * @param element index of the element
 * @param type type of all bits here
 * @param combine the combine that wrote it
 * @param operands what was folded, in order
 * @param result bits of the result
 */
public record TraceStep(
    int round, int element, ElementType type, Combine combine, List<Operand> operands, int result) {

  public TraceStep {
    operands = List.copyOf(operands);
  }

  /**
   * One value that was folded.
   *
   * @param rank whose value
   * @param held its bits at the start of the round
   * @param entered its bits as they enter the fold: rounded, if they passed a narrower wire
   */
  public record Operand(int rank, int held, int entered) {}

  /** The rank that wrote. */
  public int rank() {
    return combine.rank();
  }

  /**
   * One line: {@code round 2, rank 0, element 17: rank 3 4380 + rank 0 3F80 -> 4380}; an operand
   * that the wire changed shows both values, {@code rank 3 3F800001~3F800000}.
   */
  public String describe() {
    return operands.stream()
        .map(this::describe)
        .collect(
            Collectors.joining(
                " + ",
                "round " + round + ", rank " + rank() + ", element " + element + ": ",
                " -> " + hex(result)));
  }

  private String describe(Operand operand) {
    String held = "rank " + operand.rank() + " " + hex(operand.held());
    return operand.held() == operand.entered() ? held : held + "~" + hex(operand.entered());
  }

  private String hex(int bits) {
    return String.format("%0" + 2 * type.bytes() + "X", bits);
  }
}
