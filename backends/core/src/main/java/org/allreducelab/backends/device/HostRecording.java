package org.allreducelab.backends.device;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.lowering.PeerWait;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Submission;

/** A program as each rank's part of it. */
public final class HostRecording implements Recorded {
  private static final String KIND = "host recording";

  private final Closing made;
  private final List<List<Step>> steps = new ArrayList<>();
  private final List<RankDevice.Work> works = new ArrayList<>();
  private boolean closed;

  /**
   * One of a rank's submissions.
   *
   * @param submission its index in the program
   * @param value its number among the rank's, counted from 1
   * @param waits what it waits for
   */
  record Step(int submission, int value, List<PeerWait> waits) {
    Step {
      waits = List.copyOf(waits);
    }
  }

  HostRecording(Program program, List<RankDevice> devices) {
    try (Closing closing = new Closing()) {
      for (RankDevice device : devices) {
        works.add(closing.keep(device.record(program)));
        steps.add(new ArrayList<>());
      }
      made = closing.handOver();
    }
    for (int i = 0; i < program.submissions().size(); i++) {
      Submission s = program.submissions().get(i);
      steps.get(s.rank()).add(new Step(i, s.value(), PeerWait.of(s, program.ranks())));
    }
    LiveObjects.opened(KIND);
  }

  /** A rank's submissions, in order. */
  List<Step> stepsOf(int rank) {
    return steps.get(rank);
  }

  RankDevice.Work workOf(int rank) {
    return works.get(rank);
  }

  @Override
  public int steps(int lane) {
    return steps.get(lane).size();
  }

  /** Unknown: the host is what drives. */
  @Override
  public DeviceTimes times() {
    return DeviceTimes.UNKNOWN;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      made.close();
      LiveObjects.closed(KIND);
    }
  }
}
