package org.allreducelab.backends.lowering;

import java.util.Set;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;

/** Turns a schedule into a {@link Program}. */
public final class Lowering {
  private Lowering() {}

  /** Lowers {@code schedule}. */
  public static Program lower(
      Schedule schedule,
      Precision precision,
      Transport transport,
      Operands operands,
      Barrier barrier,
      Set<Integer> inactiveRanks) {
    throw new IllegalStateException("being written");
  }
}
