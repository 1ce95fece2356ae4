package org.allreducelab.backends.opencl;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.SlotRange;
import org.allreducelab.backends.lowering.Submission;

/**
 * A rank's part of a program: per submission, peers' slots into the device, kernels, own slots out,
 * all in one queue, then a wait for the queue.
 */
final class RankWork implements RankDevice.Work {
  private final CommandQueue queue;
  private final LaunchList launches;
  private final ExternalList external;
  private final List<List<Copy>> in = new ArrayList<>();
  private final List<List<Copy>> out = new ArrayList<>();

  /** Bytes that go between a buffer and host memory. */
  private record Copy(long buffer, long offset, long bytes, long host) {}

  /**
   * @param external what the kernels reach of other APIs' memory; closed with this
   */
  RankWork(
      int rank,
      Program program,
      CommandQueue queue,
      OpenClRank device,
      LaunchList launches,
      ExternalList external) {
    this.external = external;
    this.queue = queue;
    this.launches = launches;
    for (Submission s : program.submissions()) {
      boolean own = s.rank() == rank;
      in.add(own ? copies(SlotRange.readFromPeers(s), device) : List.of());
      out.add(own ? copies(SlotRange.written(s), device) : List.of());
    }
  }

  private static List<Copy> copies(List<SlotRange> ranges, OpenClRank device) {
    List<Copy> copies = new ArrayList<>();
    for (SlotRange r : ranges) {
      OpenClRank.HostMirror slots = device.slots(r.owner());
      copies.add(
          new Copy(
              slots.buffer().handle(), r.offset(), r.bytes(), slots.hostAddress() + r.offset()));
    }
    return copies;
  }

  @Override
  public void run(int submission) {
    List<Launch> kernels = launches.of(submission);
    if (kernels.isEmpty()) {
      return;
    }
    try {
      enqueue(in.get(submission), kernels, out.get(submission));
      queue.finish();
    } catch (DriverException e) {
      queue.settle();
      throw e;
    }
  }

  private void enqueue(List<Copy> from, List<Launch> kernels, List<Copy> to) {
    for (int i = 0; i < from.size(); i++) {
      Copy c = from.get(i);
      queue.fromHost(c.buffer(), c.offset(), c.bytes(), c.host(), 0);
    }
    external.acquire(queue);
    for (int i = 0; i < kernels.size(); i++) {
      kernels.get(i).enqueue(queue, 0, 0, 0);
    }
    external.release(queue);
    for (int i = 0; i < to.size(); i++) {
      Copy c = to.get(i);
      queue.toHost(c.buffer(), c.offset(), c.bytes(), c.host());
    }
  }

  @Override
  public void close() {
    launches.close();
    external.close();
  }
}
