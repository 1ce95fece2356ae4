package org.allreducelab.backends.opencl;

import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.SlotBuffers;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/**
 * All ranks' buffers and slots in one context: peers read each other's buffers in place.
 *
 * <p>What makes that right: a rank waits for the event of the peer's command before it reads, and a
 * command's completion makes its writes visible to the commands that wait for its event (OpenCL 2.0
 * and later, "Memory consistency model": completion and wait synchronise). Commands that overlap in
 * time never touch the same bytes, since every conflict is ordered by a wait. What no version
 * promises is that one queue may modify one part of a buffer while another queue uses another part
 * ("Shared OpenCL objects" in appendix A calls that undefined): it holds on the drivers tried so
 * far (NVIDIA, PoCL), and wherever it did not, verification would show it. All ranks of a context
 * are on one device, so no buffer ever moves.
 */
final class ContextMemory implements KernelBinding.Buffers, AutoCloseable {
  private final DeviceContext context;
  private final boolean onHost;
  private final Closing data = new Closing();
  private final DeviceBuffer[] send;
  private final DeviceBuffer[] recv;
  private final SlotBuffers<DeviceBuffer> slots;

  /**
   * @param bytes size of each SEND and RECV buffer
   * @param onHost whether slots lie in host memory
   */
  ContextMemory(DeviceContext context, int ranks, long bytes, boolean onHost) {
    this.onHost = onHost;
    this.context = context;
    send = new DeviceBuffer[ranks];
    recv = new DeviceBuffer[ranks];
    slots = new SlotBuffers<>(ranks);
    try {
      for (int rank = 0; rank < ranks; rank++) {
        send[rank] = data.keep(new DeviceBuffer(context, bytes));
        recv[rank] = data.keep(new DeviceBuffer(context, bytes));
      }
    } catch (RuntimeException e) {
      data.close();
      throw e;
    }
  }

  void allocateSlots(int rank, int buffer, long bytes) {
    slots.put(
        rank,
        buffer,
        onHost ? DeviceBuffer.onHost(context, bytes) : new DeviceBuffer(context, bytes));
  }

  void freeSlots(int rank, int buffer) {
    DeviceBuffer present = slots.remove(rank, buffer);
    if (present != null) {
      present.close();
    }
  }

  /** From now on slots lie in these buffers. */
  void pick(StagingUse use) {
    slots.pick(use);
  }

  DeviceBuffer buffer(int rank, DataBuffer which) {
    return which == DataBuffer.SEND ? send[rank] : recv[rank];
  }

  /** The slot memory of a rank, or null while it has none. */
  @Nullable DeviceBuffer slots(int rank) {
    return slots.present(rank);
  }

  @Override
  public DeviceBuffer of(int reader, Region region) {
    int owner = region.rank();
    return switch (region.space()) {
      case SEND -> send[owner];
      case RECV -> recv[owner];
      case SLOT -> {
        DeviceBuffer present = slots.present(owner);
        if (present == null) {
          throw new BackendException("rank " + owner + " has no slot memory");
        }
        yield present;
      }
      case NEGATIVE_ZERO -> throw new IllegalArgumentException("-0 lies in no memory");
    };
  }

  @Override
  public void close() {
    for (int rank = send.length - 1; rank >= 0; rank--) {
      slots.removeAll(rank).forEach(DeviceBuffer::close);
    }
    data.close();
  }
}
