package org.allreducelab.backends.opencl;

import static org.allreducelab.backends.opencl.ErrorCode.check;
import static org.lwjgl.opencl.CL10.clFinish;
import static org.lwjgl.opencl.CL10.nclEnqueueReadBuffer;
import static org.lwjgl.opencl.CL10.nclEnqueueWriteBuffer;

import java.util.ArrayList;
import java.util.List;
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
  private final OpenClRank rank;
  private final LaunchList launches;
  private final List<List<SlotRange>> in = new ArrayList<>();
  private final List<List<SlotRange>> out = new ArrayList<>();

  RankWork(int rank, Program program, CommandQueue queue, OpenClRank device, LaunchList launches) {
    this.queue = queue;
    this.rank = device;
    this.launches = launches;
    for (Submission s : program.submissions()) {
      in.add(s.rank() == rank ? SlotRange.readFromPeers(s) : List.of());
      out.add(s.rank() == rank ? SlotRange.written(s) : List.of());
    }
  }

  @Override
  public void run(int submission) {
    List<SlotRange> from = in.get(submission);
    for (int i = 0; i < from.size(); i++) {
      SlotRange r = from.get(i);
      queue.enqueued(
          nclEnqueueWriteBuffer(
              queue.handle(),
              rank.slots(r.owner()).handle(),
              0,
              r.offset(),
              r.bytes(),
              rank.hostAddress(r.owner()) + r.offset(),
              0,
              0,
              0),
          "clEnqueueWriteBuffer");
    }
    List<Launch> kernels = launches.of(submission);
    for (int i = 0; i < kernels.size(); i++) {
      kernels.get(i).enqueue(queue, 0, 0, 0);
    }
    List<SlotRange> to = out.get(submission);
    for (int i = 0; i < to.size(); i++) {
      SlotRange r = to.get(i);
      queue.enqueued(
          nclEnqueueReadBuffer(
              queue.handle(),
              rank.slots(r.owner()).handle(),
              0,
              r.offset(),
              r.bytes(),
              rank.hostAddress(r.owner()) + r.offset(),
              0,
              0,
              0),
          "clEnqueueReadBuffer");
    }
    if (!kernels.isEmpty()) {
      check(clFinish(queue.handle()), "clFinish", queue.context().label());
    }
  }

  @Override
  public void close() {
    launches.close();
  }
}
