package org.allreducelab.harness.verify;

import java.util.Optional;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.algorithms.simulator.TraceStep;
import org.allreducelab.backends.Operands;

/**
 * Finds the first round in which a device makes a wrong value. Only final values can be seen, so
 * the schedule's first round runs alone, then its first two, and so on, until a value that was
 * written so far is not the simulator's.
 *
 * @param step what the simulator did there
 * @param actual the bits that the device had
 */
record FirstWrongRound(TraceStep step, int actual) {

  /**
   * Runs the prefixes of a schedule.
   *
   * @return empty if no prefix shows a fault: it is transient, or only the whole schedule has it,
   *     or several in a row
   */
  static Optional<FirstWrongRound> find(
      GroupRunner runner,
      Schedule schedule,
      Precision precision,
      Operands operands,
      byte[][] inputs) {
    for (int rounds = 1; rounds <= schedule.rounds().size(); rounds++) {
      Schedule prefix = prefix(schedule, rounds);
      RankVectors actual = runner.run(prefix, operands, inputs).vectors();
      byte[][] expected = new ReferenceSimulator(prefix, precision).run(inputs);
      for (Combine combine : prefix.rounds().get(rounds - 1).combines()) {
        int at = actual.ranks().indexOf(combine.rank());
        if (at < 0) {
          continue;
        }
        byte[] got = actual.vectors().get(at);
        int element = firstDifference(precision.element(), combine, expected[combine.rank()], got);
        if (element >= 0) {
          return new ReferenceSimulator(schedule, precision)
              .trace(inputs, element)
              .step(rounds - 1, combine.rank())
              .map(step -> new FirstWrongRound(step, precision.element().get(got, element)));
        }
      }
    }
    return Optional.empty();
  }

  private static Schedule prefix(Schedule schedule, int rounds) {
    return new Schedule(schedule.ranks(), schedule.count(), schedule.rounds().subList(0, rounds));
  }

  private static int firstDifference(
      ElementType type, Combine combine, byte[] expected, byte[] actual) {
    for (int e = combine.span().offset(); e < combine.span().end(); e++) {
      if (type.get(expected, e) != type.get(actual, e)) {
        return e;
      }
    }
    return -1;
  }
}
