package org.allreducelab.backends.staging;

import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Windowed;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;

/**
 * Cuts messages that need more staging memory than a policy can have into windows: halves the
 * window until one of them fits. Windows are collectives of their own, enqueued one after the
 * other: so all use the same slots, and what they wait for is what consecutive collectives wait for
 * anyway.
 *
 * @param lowering how their schedules are lowered
 */
public record WindowFit(LoweringSpec lowering) {
  /** More windows than this take seconds to lower, and longer to run. */
  private static final int MOST_WINDOWS = 4096;

  /** Windows start at multiples of this many elements: of 16 bytes in any element type. */
  private static final int ALIGNMENT = 16;

  /**
   * The algorithm itself where its program fits, else the algorithm in windows.
   *
   * @param limitBytes the most that a rank's program may need
   * @throws BackendException if even small windows do not fit
   */
  public Algorithm fit(Algorithm algorithm, int ranks, int count, int granule, long limitBytes) {
    if (limitBytes == Long.MAX_VALUE
        || requestBytes(algorithm, ranks, count, granule) <= limitBytes) {
      return algorithm;
    }
    int step = Math.multiplyExact(granule, ALIGNMENT);
    int window = count;
    Windowed candidate;
    do {
      int smaller = (window / 2 + step - 1) / step * step;
      if (smaller >= window || count / smaller > MOST_WINDOWS) {
        throw new BackendException(
            "a staging capacity of "
                + limitBytes
                + " bytes is too little for "
                + algorithm.name()
                + " of "
                + count
                + " elements on "
                + ranks
                + " ranks, even in windows; allow more");
      }
      window = smaller;
      candidate = new Windowed(algorithm, window);
    } while (requestBytes(candidate, ranks, count, granule) > limitBytes);
    return candidate;
  }

  /** What to run in order: the windows, or the whole as it is. */
  public static List<Schedule> parts(Algorithm algorithm, int ranks, int count, int granule) {
    return algorithm instanceof Windowed windowed
        ? windowed.parts(ranks, count, granule)
        : List.of(algorithm.plan(ranks, count, granule));
  }

  /** Slot bytes of the rank that needs most; of windows, the first: the last is at most as long. */
  public long requestBytes(Algorithm algorithm, int ranks, int count, int granule) {
    Program program = Lowering.lower(parts(algorithm, ranks, count, granule).get(0), lowering);
    long most = 0;
    for (int rank = 0; rank < ranks; rank++) {
      most = Math.max(most, program.slotBytes(rank));
    }
    return most;
  }
}
