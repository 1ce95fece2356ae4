package org.allreducelab.backends.opencl;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.device.DeviceTimes;
import org.allreducelab.backends.device.Recorded;
import org.allreducelab.backends.lowering.PeerWait;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Submission;
import org.allreducelab.backends.lowering.Wait;

/**
 * A program for one context: what each submission enqueues, waits for, and whether anybody will ask
 * for its event.
 */
final class Recording implements Recorded {
  private static final String KIND = "opencl recording";

  private final List<Step> steps = new ArrayList<>();
  private final int[] stepsOfLane;
  private final LaunchList launches;
  private boolean closed;

  /**
   * A submission.
   *
   * @param rank whose
   * @param value its number among the rank's submissions, counted from 1
   * @param lane what it moves on
   * @param launches its kernels
   * @param waits what it waits for
   * @param asked whether its event is needed
   */
  record Step(
      int rank, int value, int lane, List<Launch> launches, List<PeerWait> waits, boolean asked) {
    Step {
      launches = List.copyOf(launches);
      waits = List.copyOf(waits);
    }
  }

  /**
   * @param lanes 1, or the number of ranks
   */
  Recording(Program program, int lanes, LaunchList launches) {
    this.launches = launches;
    int n = program.submissions().size();
    stepsOfLane = new int[lanes];
    boolean[][] asked = asked(program);
    for (int i = 0; i < n; i++) {
      Submission s = program.submissions().get(i);
      boolean isAsked = lanes == 1 ? i == n - 1 : asked[s.rank()][s.value()];
      Step step = step(s, lanes, launches.of(i), isAsked);
      steps.add(step);
      stepsOfLane[step.lane()]++;
    }
    LiveObjects.opened(KIND);
  }

  /** Per rank and value: waited for by a peer, now or by a later invocation, or the last. */
  private static boolean[][] asked(Program program) {
    boolean[][] asked = new boolean[program.ranks()][];
    for (int rank = 0; rank < asked.length; rank++) {
      asked[rank] = new boolean[program.submissionsOf(rank) + 1];
      asked[rank][program.submissionsOf(rank)] = true;
    }
    for (Submission s : program.submissions()) {
      for (Wait wait : s.waits()) {
        asked[wait.rank()][wait.value()] = true;
      }
    }
    for (int owner = 0; owner < asked.length; owner++) {
      for (int reader = 0; reader < asked.length; reader++) {
        asked[reader][program.lastReadBy(owner, reader)] = true;
      }
    }
    return asked;
  }

  private static Step step(Submission s, int lanes, List<Launch> launches, boolean asked) {
    if (lanes == 1) {
      return new Step(s.rank(), s.value(), 0, launches, List.of(), asked);
    }
    List<PeerWait> waits = PeerWait.of(s, lanes);
    return new Step(s.rank(), s.value(), s.rank(), launches, waits, asked);
  }

  /** In the program's global order. */
  List<Step> steps() {
    return steps;
  }

  @Override
  public int steps(int lane) {
    return stepsOfLane[lane];
  }

  @Override
  public DeviceTimes times() {
    return DeviceTimes.UNKNOWN;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      launches.close();
      LiveObjects.closed(KIND);
    }
  }
}
