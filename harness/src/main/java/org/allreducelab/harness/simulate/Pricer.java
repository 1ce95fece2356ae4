package org.allreducelab.harness.simulate;

import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.cost.AlphaCounts;
import org.allreducelab.algorithms.cost.ClosedForm;
import org.allreducelab.algorithms.cost.Cost;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.algorithms.cost.Link;
import org.allreducelab.algorithms.cost.Machine;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.harness.cli.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * Prices all-reduces on one machine: from the schedule up to 4096 ranks, beyond by closed form with
 * all links far.
 *
 * @param machine the machine
 * @param driver what waits of a staged program cost beside, or null
 * @param precision the arithmetic
 * @param granule chunk borders are multiples of this many elements
 */
record Pricer(Machine machine, @Nullable DriverModel driver, Precision precision, int granule) {
  /** A ring of more ranks has more combines than anyone wants to wait for. */
  static final int MOST_SCHEDULED_RANKS = 4096;

  /** Programs of more ranks take too long to lower. */
  private static final int MOST_LOWERED_RANKS = 64;

  /**
   * @throws UsageException if a driver model is asked for more ranks than can be lowered
   */
  Price price(Algorithm algorithm, int ranks, int count) {
    if (ranks > MOST_SCHEDULED_RANKS) {
      return byForm(algorithm, ranks, count);
    }
    Schedule schedule = algorithm.plan(ranks, count, granule);
    Cost cost = machine.price(schedule, precision);
    double timeNs = cost.timeNs() + driverNs(schedule);
    return new Price(algorithm, ranks, count, timeNs, cost.steps(), true);
  }

  private double driverNs(Schedule schedule) {
    DriverModel model = driver;
    if (model == null) {
      return 0;
    }
    requireLowered(schedule.ranks());
    Program program =
        Lowering.lower(
            schedule, LoweringSpec.of(precision, Transport.STAGED_HOST, Operands.OUT_OF_PLACE));
    long resident = 0;
    for (int rank = 0; rank < schedule.ranks(); rank++) {
      resident = Math.max(resident, program.slotBytes(rank));
    }
    return program.waits() * model.waitNs(resident);
  }

  static void requireLowered(int ranks) {
    if (ranks > MOST_LOWERED_RANKS) {
      throw new UsageException(
          "waits are counted on lowered programs, of at most "
              + MOST_LOWERED_RANKS
              + " ranks, not "
              + ranks
              + "; use fewer ranks, or leave --driver-model and --decode out");
    }
  }

  private Price byForm(Algorithm algorithm, int ranks, int count) {
    if (driver != null) {
      requireLowered(ranks);
    }
    if (machine.alphaCounts() != AlphaCounts.STEPS) {
      throw new UsageException(
          "beyond "
              + MOST_SCHEDULED_RANKS
              + " ranks prices are closed forms, which count steps; leave --alpha-counts out");
    }
    ClosedForm form =
        ClosedForm.of(algorithm, ranks)
            .orElseThrow(
                () ->
                    new UsageException(
                        "no closed form for "
                            + algorithm.name()
                            + "; at most "
                            + MOST_SCHEDULED_RANKS
                            + " ranks can be priced from its schedule"));
    Link link = machine.ranksPerNode() >= ranks ? machine.near() : machine.far();
    double timeNs =
        form.timeNs(
            link,
            machine.gammaNsPerByte(),
            (long) count * precision.wireFor(count).bytes(),
            (long) count * precision.element().bytes());
    return new Price(algorithm, ranks, count, timeNs, Math.round(form.steps()), false);
  }
}
