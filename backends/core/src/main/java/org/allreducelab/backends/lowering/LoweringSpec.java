package org.allreducelab.backends.lowering;

import java.util.Set;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;

/**
 * How schedules are lowered.
 *
 * @param precision the arithmetic; its wire type decides what must be staged
 * @param transport how peers' values are reached
 * @param operands whether the input is SEND or RECV
 * @param barrier how rounds with many waits are synchronised
 * @param inactiveRanks ranks that contribute −0
 * @param repetitions how often the schedule is executed in a row, ≥ 1
 */
public record LoweringSpec(
    Precision precision,
    Transport transport,
    Operands operands,
    Barrier barrier,
    Set<Integer> inactiveRanks,
    int repetitions) {
  /**
   * @throws IllegalArgumentException if there is no repetition
   */
  public LoweringSpec {
    inactiveRanks = Set.copyOf(inactiveRanks);
    if (repetitions < 1) {
      throw new IllegalArgumentException("at least 1 repetition, not " + repetitions);
    }
  }

  /** Once, with pairwise waits, of values from all ranks. */
  public static LoweringSpec of(Precision precision, Transport transport, Operands operands) {
    return new LoweringSpec(precision, transport, operands, Barrier.PAIRWISE, Set.of(), 1);
  }

  /** The same with another barrier. */
  public LoweringSpec withBarrier(Barrier other) {
    return new LoweringSpec(precision, transport, operands, other, inactiveRanks, repetitions);
  }

  /** The same with other inactive ranks. */
  public LoweringSpec withInactiveRanks(Set<Integer> others) {
    return new LoweringSpec(precision, transport, operands, barrier, others, repetitions);
  }

  /** The same, executed so often in a row. */
  public LoweringSpec repeated(int times) {
    return new LoweringSpec(precision, transport, operands, barrier, inactiveRanks, times);
  }
}
