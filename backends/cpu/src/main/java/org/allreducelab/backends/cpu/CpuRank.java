package org.allreducelab.backends.cpu;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.SlotRange;
import org.allreducelab.backends.lowering.Submission;
import org.jspecify.annotations.Nullable;

/**
 * A rank on the CPU among ranks on other devices. Its loops work on heap arrays, so slots are
 * copied from host memory before a submission and back after it.
 */
final class CpuRank implements RankDevice {
  private static final String KIND = "cpu rank";

  private final int rank;
  private final LoopSet loops;
  private final RankMemory memory;
  private final @Nullable ByteBuffer[] host;
  private boolean closed;

  CpuRank(int rank, int ranks, long capacityBytes, LoopSet loops) {
    this.rank = rank;
    this.loops = loops;
    memory = RankMemory.ofOne(rank, ranks, capacityBytes);
    host = new ByteBuffer[ranks];
    LiveObjects.opened(KIND);
  }

  @Override
  public String kernels() {
    return loops.name();
  }

  @Override
  public int hostAlignment() {
    return 1;
  }

  @Override
  public void write(DataBuffer buffer, byte[] bytes) {
    memory.write(rank, buffer, bytes);
  }

  @Override
  public void read(DataBuffer buffer, long byteOffset, byte[] into) {
    memory.read(rank, buffer, byteOffset, into);
  }

  @Override
  public void addSlots(int owner, ByteBuffer slots) {
    memory.allocateSlots(owner, slots.capacity());
    host[owner] = slots;
  }

  @Override
  public void removeSlots(int owner) {
    if (host[owner] != null) {
      host[owner] = null;
      memory.freeSlots(owner);
    }
  }

  /** A rank's folds and copies, by submission. */
  private final class CpuWork implements Work {
    private final List<List<Task>> tasks = new ArrayList<>();
    private final List<List<SlotRange>> in = new ArrayList<>();
    private final List<List<SlotRange>> out = new ArrayList<>();

    CpuWork(Program program) {
      FoldBinder binder = new FoldBinder(memory, loops, program.precision(), program.count());
      for (Submission s : program.submissions()) {
        boolean own = s.rank() == rank;
        in.add(own ? SlotRange.readFromPeers(s) : List.of());
        out.add(own ? SlotRange.written(s) : List.of());
        List<Task> ofSubmission = new ArrayList<>();
        for (Kernel kernel : own ? s.kernels() : List.<Kernel>of()) {
          for (Fold fold : kernel.folds()) {
            ofSubmission.add(binder.bind(fold));
          }
        }
        tasks.add(ofSubmission);
      }
    }

    @Override
    public void run(int submission) {
      for (SlotRange r : in.get(submission)) {
        hostOf(r.owner())
            .get((int) r.offset(), memory.slots(r.owner()), (int) r.offset(), (int) r.bytes());
      }
      tasks.get(submission).forEach(Task::run);
      for (SlotRange r : out.get(submission)) {
        hostOf(r.owner())
            .put((int) r.offset(), memory.slots(r.owner()), (int) r.offset(), (int) r.bytes());
      }
    }

    @Override
    public void close() {}
  }

  private ByteBuffer hostOf(int owner) {
    ByteBuffer present = host[owner];
    if (present == null) {
      throw new BackendException("rank " + owner + " has no slot memory");
    }
    return present;
  }

  @Override
  public Work record(Program program) {
    return new CpuWork(program);
  }

  @Override
  public void condemn() {}

  @Override
  public void opened(Group group) {}

  @Override
  public void closed(Group group) {}

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      for (int owner = 0; owner < host.length; owner++) {
        removeSlots(owner);
      }
      LiveObjects.closed(KIND);
    }
  }
}
