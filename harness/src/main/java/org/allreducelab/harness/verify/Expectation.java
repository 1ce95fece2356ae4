package org.allreducelab.harness.verify;

import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;

/**
 * What must come out of a schedule.
 *
 * @param schedule the schedule
 * @param precision the arithmetic
 * @param inputs one vector per rank
 * @param results what the simulator gives, one vector per rank
 */
record Expectation(Schedule schedule, Precision precision, byte[][] inputs, byte[][] results) {

  /** Simulates a schedule. */
  static Expectation of(Schedule schedule, Precision precision, byte[][] inputs) {
    return new Expectation(
        schedule, precision, inputs, new ReferenceSimulator(schedule, precision).run(inputs));
  }

  /** Number of elements that any two ranks have different bits of. */
  long disagreements() {
    return RankVectors.all(results).disagreements(precision.element());
  }
}
