package org.allreducelab.backends.vulkan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.device.SlotBuffers;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.staging.StagingUse;
import org.lwjgl.system.MemoryUtil;

/**
 * A rank on a logical device of its own, among ranks on devices that are not Vulkan's. Its kernels
 * work on host memory, its own slots' and its peers', that is imported into the device.
 */
final class VulkanRank implements RankDevice, RegionAddresses {
  private final int rank;
  private final LogicalDevice device;
  private final FoldPipelines pipelines;
  private final Transfers transfers;
  private final DeviceBuffer send;
  private final DeviceBuffer recv;
  private final int ranks;
  private final SlotBuffers<DeviceBuffer> slots;
  private final long deadlineNs;
  private final Closing made;
  private boolean condemned;

  /**
   * @param ranks of the group
   * @param bytes size of the rank's SEND and RECV buffer
   */
  VulkanRank(int rank, int ranks, DevicePlan plan, long bytes, long deadlineNs) {
    this.rank = rank;
    this.deadlineNs = deadlineNs;
    this.ranks = ranks;
    slots = new SlotBuffers<>(ranks);
    device = DevicePool.take(plan.physical(), plan.family(), 1);
    try (Closing closing = new Closing()) {
      pipelines = device.pipelines(plan.traits(), new GlslCompiler(SpirvCache.ofUser()));
      transfers = closing.keep(new Transfers(device, deadlineNs));
      send = closing.keep(DeviceBuffer.local(device, bytes));
      recv = closing.keep(DeviceBuffer.local(device, bytes));
      made = closing.handOver();
    } catch (RuntimeException e) {
      DevicePool.discard(device);
      throw e;
    }
  }

  @Override
  public String kernels() {
    return pipelines.traits().soft() ? "soft-subnormals" : "native-f32";
  }

  @Override
  public int hostAlignment() {
    return Math.toIntExact(device.facts().hostAlignment());
  }

  @Override
  public void write(DataBuffer buffer, byte[] bytes) {
    transfers.write(device.queue(0), buffer == DataBuffer.SEND ? send : recv, 0, bytes);
  }

  @Override
  public void read(DataBuffer buffer, long byteOffset, byte[] into) {
    transfers.read(device.queue(0), buffer == DataBuffer.SEND ? send : recv, byteOffset, into);
  }

  @Override
  public void addSlots(int owner, int buffer, ByteBuffer host) {
    HostBlock block = HostBlock.around(MemoryUtil.memAddress(host), host.capacity());
    slots.put(owner, buffer, DeviceBuffer.over(block, device));
  }

  @Override
  public void removeSlots(int owner, int buffer) {
    DeviceBuffer present = slots.remove(owner, buffer);
    if (present != null) {
      present.close();
    }
  }

  @Override
  public void pick(StagingUse use) {
    slots.pick(use);
  }

  @Override
  public long address(int reader, Region region) {
    DeviceBuffer buffer =
        switch (region.space()) {
          case SEND -> send;
          case RECV -> recv;
          case SLOT -> slots.present(region.rank());
          case NEGATIVE_ZERO -> throw new IllegalArgumentException("-0 lies in no memory");
        };
    if (buffer == null) {
      throw new BackendException("rank " + region.rank() + " has no slot memory");
    }
    return buffer.address() + region.byteOffset();
  }

  @Override
  public Work record(Program program) {
    return new RankWork(
        rank, program, device, pipelines, this, writtenByPeers(), transfers, deadlineNs);
  }

  private List<Long> writtenByPeers() {
    List<Long> handles = new ArrayList<>();
    for (int owner = 0; owner < ranks; owner++) {
      DeviceBuffer present = owner == rank ? null : slots.present(owner);
      if (present != null) {
        handles.add(present.handle());
      }
    }
    return handles;
  }

  @Override
  public void condemn() {
    condemned = true;
  }

  @Override
  public void opened(Group group) {
    SharedInstance.opened(group);
  }

  @Override
  public void closed(Group group) {
    SharedInstance.closed(group);
  }

  @Override
  public void close() {
    for (int owner = ranks - 1; owner >= 0; owner--) {
      slots.removeAll(owner).forEach(DeviceBuffer::close);
    }
    made.close();
    if (condemned) {
      DevicePool.discard(device);
    } else {
      DevicePool.giveBack(device);
    }
  }
}
