package org.allreducelab.backends.cpu;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.device.SlotBuffers;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.SlotRange;
import org.allreducelab.backends.lowering.Submission;
import org.allreducelab.backends.staging.StagingUse;

/**
 * A rank on the CPU among ranks on other devices. Its loops work on heap arrays, so slots are
 * copied from host memory before a submission and back after it.
 */
final class CpuRank implements RankDevice {
  private static final String KIND = "cpu rank";

  private final int rank;
  private final LoopSet loops;
  private final RankMemory memory;
  private final SlotBuffers<ByteBuffer> host;
  private boolean closed;

  CpuRank(int rank, int ranks, long capacityBytes, LoopSet loops) {
    this.rank = rank;
    this.loops = loops;
    memory = RankMemory.ofOne(rank, ranks, capacityBytes);
    host = new SlotBuffers<>(ranks);
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
  public void addSlots(int owner, int buffer, ByteBuffer slots) {
    memory.allocateSlots(owner, buffer, slots.capacity());
    host.put(owner, buffer, slots);
  }

  @Override
  public void removeSlots(int owner, int buffer) {
    if (host.remove(owner, buffer) != null) {
      memory.freeSlots(owner, buffer);
    }
  }

  @Override
  public void pick(StagingUse use) {
    host.pick(use);
    memory.pick(use);
  }

  /** Bytes that go between an array and host memory, at the same offset in both. */
  private static final class Copy {
    private final byte[] array;
    private final ByteBuffer host;
    private final int offset;
    private final int bytes;

    Copy(byte[] array, ByteBuffer host, SlotRange range) {
      this.array = array;
      this.host = host;
      offset = (int) range.offset();
      bytes = (int) range.bytes();
    }

    void in() {
      host.get(offset, array, offset, bytes);
    }

    void out() {
      host.put(offset, array, offset, bytes);
    }
  }

  private List<Copy> copies(List<SlotRange> ranges) {
    List<Copy> copies = new ArrayList<>();
    for (SlotRange r : ranges) {
      ByteBuffer present = host.present(r.owner());
      if (present == null) {
        throw new BackendException("rank " + r.owner() + " has no slot memory");
      }
      copies.add(new Copy(memory.slots(r.owner()), present, r));
    }
    return copies;
  }

  /** A rank's folds and copies, by submission. */
  private final class CpuWork implements Work {
    private final List<List<Task>> tasks = new ArrayList<>();
    private final List<List<Copy>> in = new ArrayList<>();
    private final List<List<Copy>> out = new ArrayList<>();

    CpuWork(Program program) {
      FoldBinder binder = new FoldBinder(memory, loops, program.precision(), program.count());
      for (Submission s : program.submissions()) {
        boolean own = s.rank() == rank;
        in.add(own ? copies(SlotRange.readFromPeers(s)) : List.of());
        out.add(own ? copies(SlotRange.written(s)) : List.of());
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
      for (Copy c : in.get(submission)) {
        c.in();
      }
      tasks.get(submission).forEach(Task::run);
      for (Copy c : out.get(submission)) {
        c.out();
      }
    }

    @Override
    public void close() {}
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
      LiveObjects.closed(KIND);
    }
  }
}
