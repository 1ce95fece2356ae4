package org.allreducelab.harness.verify;

import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;

/** What must come out of a schedule: the simulator's results for given inputs. */
final class Expectation {
  private final Schedule schedule;
  private final Precision precision;
  private final byte[][] inputs;
  private final byte[][] results;
  private final long disagreements;

  /**
   * Simulates a schedule.
   *
   * @param inputs one vector per rank; kept, not copied
   */
  Expectation(Schedule schedule, Precision precision, byte[][] inputs) {
    this.schedule = schedule;
    this.precision = precision;
    this.inputs = inputs;
    this.results = new ReferenceSimulator(schedule, precision).run(inputs);
    this.disagreements = RankVectors.all(results).disagreements(precision.element());
  }

  /**
   * What must come out of several executions in a row, each of which takes the results of the one
   * before; its inputs are those of the last.
   *
   * @param times how many, ≥ 1
   */
  Expectation inARow(int times) {
    Expectation last = this;
    for (int more = times - 1; more > 0; more--) {
      last = new Expectation(schedule, precision, last.results);
    }
    return last;
  }

  Schedule schedule() {
    return schedule;
  }

  Precision precision() {
    return precision;
  }

  /** One vector per rank; not to be changed. */
  byte[][] inputs() {
    return inputs;
  }

  /** One vector per rank; not to be changed. */
  byte[][] results() {
    return results;
  }

  /** Number of elements that any two ranks have different bits of. */
  long disagreements() {
    return disagreements;
  }
}
