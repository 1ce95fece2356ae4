package org.allreducelab.harness.cli;

import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Operands;

/**
 * One all-reduce to run.
 *
 * @param group on which devices
 * @param ranks number of ranks
 * @param precision the arithmetic
 * @param algorithm which algorithm
 * @param count number of vector elements
 * @param operands in or out of place
 */
public record Case(
    DeviceGroup group,
    int ranks,
    Precision precision,
    Algorithm algorithm,
    int count,
    Operands operands) {

  /** Size of the vector in bytes. */
  public long payloadBytes() {
    return (long) count * precision.element().bytes();
  }
}
