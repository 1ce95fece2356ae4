package org.allreducelab.backends.opencl;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.HostMemory;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.device.SlotBuffers;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Space;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;

/**
 * A rank in a context of its own. Its peers' buffers it sees only where the group has {@link
 * GroupBlocks}; else everything goes through slots. It keeps a buffer for its slots and one for a
 * copy of each peer's; bytes go between those and host memory by clEnqueueReadBuffer and
 * clEnqueueWriteBuffer, the only way to hand bytes from one context to another that OpenCL
 * promises. Host memory under buffers of several contexts (CL_MEM_USE_HOST_PTR) is not relied on:
 * the specification calls commands on overlapping ones undefined, and on an H200 kernels of one
 * context never saw what those of another had written there, mapped and unmapped in between or not.
 */
final class OpenClRank implements RankDevice, KernelBinding.Buffers {
  private final int rank;
  private final KernelTraits traits;
  private final SlotMemory slotMemory;
  private final DeviceContext context;
  private final CommandQueue queue;
  private final RankBuffers buffers;
  private final int ranks;
  private final SlotBuffers<HostMirror> slots;
  private final Closing made;
  private boolean condemned;

  /**
   * @param ranks of the group
   * @param slotMemory where its slots lie
   * @param bytes size of the rank's SEND and RECV buffer
   * @param blocks in which peers see each other's buffers, or null
   * @param faults which calls of the group fail, or null
   */
  OpenClRank(
      int rank,
      int ranks,
      Device device,
      KernelTraits traits,
      SlotMemory slotMemory,
      long bytes,
      @Nullable GroupBlocks blocks,
      @Nullable CallFaults faults) {
    this.slotMemory = slotMemory;
    this.rank = rank;
    this.traits = traits;
    this.ranks = ranks;
    slots = new SlotBuffers<>(ranks);
    context = ContextPool.take(device, faults);
    try (Closing closing = new Closing()) {
      queue = closing.keep(new CommandQueue(context));
      buffers = closing.keep(new RankBuffers(rank, context, bytes, blocks));
      made = closing.handOver();
    } catch (RuntimeException e) {
      ContextPool.discard(context);
      throw e;
    }
  }

  @Override
  public String kernels() {
    return traits.label();
  }

  @Override
  public int hostAlignment() {
    return 4096;
  }

  @Override
  public void write(DataBuffer buffer, byte[] bytes) {
    copy(buffer, own -> queue.write(own, 0, bytes));
  }

  @Override
  public void read(DataBuffer buffer, long byteOffset, byte[] into) {
    copy(buffer, own -> queue.read(own, byteOffset, into));
  }

  private void copy(DataBuffer buffer, Consumer<DeviceBuffer> copies) {
    DeviceBuffer own = buffers.own(buffer);
    try (ExternalList external = new ExternalList(buffers.external())) {
      external.acquire(queue);
      copies.accept(own);
      external.release(queue);
      queue.finish();
    }
  }

  /**
   * This context's copy of a staging buffer.
   *
   * @param buffer the copy
   * @param hostAddress of the first byte of what it is a copy of
   */
  record HostMirror(DeviceBuffer buffer, long hostAddress) {}

  @Override
  public HostMemory slotMemory(int bytes, int alignment) {
    return slotMemory.make(queue, bytes, alignment);
  }

  @Override
  public void addSlots(int owner, int buffer, ByteBuffer host) {
    DeviceBuffer copy = new DeviceBuffer(context, host.capacity());
    slots.put(owner, buffer, new HostMirror(copy, MemoryUtil.memAddress(host)));
  }

  @Override
  public void removeSlots(int owner, int buffer) {
    HostMirror present = slots.remove(owner, buffer);
    if (present != null) {
      present.buffer().close();
    }
  }

  @Override
  public void pick(StagingUse use) {
    slots.pick(use);
  }

  /** This context's copy of an owner's slots. */
  HostMirror slots(int owner) {
    HostMirror present = slots.present(owner);
    if (present == null) {
      throw new BackendException("rank " + owner + " has no slot memory");
    }
    return present;
  }

  @Override
  public DeviceBuffer of(int reader, Region region) {
    if (region.space() == Space.SLOT) {
      return slots(region.rank()).buffer();
    }
    return buffers.of(
        region.rank(), region.space() == Space.SEND ? DataBuffer.SEND : DataBuffer.RECV);
  }

  @Override
  public Work record(Program program) {
    LaunchList launches = new LaunchList(program, queue, traits, r -> r == rank, this);
    return new RankWork(rank, program, queue, this, launches, new ExternalList(buffers.external()));
  }

  @Override
  public void condemn() {
    condemned = true;
  }

  @Override
  public void opened(Group group) {
    ContextPool.opened(group);
  }

  @Override
  public void closed(Group group) {
    ContextPool.closed(group);
  }

  @Override
  public void close() {
    for (int owner = ranks - 1; owner >= 0; owner--) {
      slots.removeAll(owner).forEach(mirror -> mirror.buffer().close());
    }
    made.close();
    if (condemned) {
      ContextPool.discard(context);
    } else {
      ContextPool.giveBack(context);
    }
  }
}
