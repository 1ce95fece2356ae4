package org.allreducelab.backends.vulkan;

import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.SlotBuffers;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/** All ranks' buffers and slots, and their addresses on every device. */
final class GroupMemory implements RegionAddresses, AutoCloseable {
  private final Sites sites;
  private final Transport transport;
  private final HandleType handleType;
  private final @Nullable SharedBuffer[] send;
  private final @Nullable SharedBuffer[] recv;

  private final SlotBuffers<SharedBuffer> slots;

  /**
   * @param bytes size of each SEND and RECV buffer
   * @throws BackendException if a device refuses
   */
  GroupMemory(Sites sites, Transport transport, HandleType handleType, long bytes) {
    this.sites = sites;
    this.transport = transport;
    this.handleType = handleType;
    send = new SharedBuffer[sites.ranks()];
    recv = new SharedBuffer[sites.ranks()];
    slots = new SlotBuffers<>(sites.ranks());
    try {
      for (int rank = 0; rank < sites.ranks(); rank++) {
        send[rank] = data(rank, bytes);
        recv[rank] = data(rank, bytes);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Peers read a rank's buffers in place where the transport is direct, never where it stages. */
  private SharedBuffer data(int rank, long bytes) {
    int owner = sites.of(rank).deviceIndex();
    return transport == Transport.DIRECT && sites.devices().size() > 1
        ? SharedBuffer.exported(sites.devices(), owner, bytes, handleType)
        : SharedBuffer.ofOne(sites.devices(), owner, bytes);
  }

  void allocateSlots(int rank, int buffer, long bytes) {
    slots.put(
        rank,
        buffer,
        transport == Transport.STAGED_HOST
            ? SharedBuffer.onHost(sites.devices(), sites.of(rank).deviceIndex(), bytes)
            : data(rank, bytes));
  }

  /** From now on slots lie in these buffers. */
  void pick(StagingUse use) {
    slots.pick(use);
  }

  void freeSlots(int rank, int buffer) {
    SharedBuffer present = slots.remove(rank, buffer);
    if (present != null) {
      present.close();
    }
  }

  DeviceBuffer buffer(int rank, DataBuffer which) {
    return present(which == DataBuffer.SEND ? send[rank] : recv[rank], rank).own();
  }

  /** The slot memory of a rank on its own device, or null while it has none. */
  @Nullable DeviceBuffer slots(int rank) {
    SharedBuffer present = slots.present(rank);
    return present == null ? null : present.own();
  }

  @Override
  public long address(int reader, Region region) {
    return seen(reader, region).address() + region.byteOffset();
  }

  /** The buffer that a region lies in, as a reader's device sees it. */
  DeviceBuffer seen(int reader, Region region) {
    int owner = region.rank();
    SharedBuffer of =
        switch (region.space()) {
          case SEND -> send[owner];
          case RECV -> recv[owner];
          case SLOT -> slots.present(owner);
          case NEGATIVE_ZERO -> throw new IllegalArgumentException("-0 lies in no memory");
        };
    SharedBuffer buffer = present(of, owner);
    return buffer.on(sites.of(reader).deviceIndex());
  }

  private static SharedBuffer present(@Nullable SharedBuffer buffer, int rank) {
    if (buffer == null) {
      throw new BackendException("rank " + rank + " has no such memory");
    }
    return buffer;
  }

  @Override
  public void close() {
    for (int rank = send.length - 1; rank >= 0; rank--) {
      slots.removeAll(rank).forEach(SharedBuffer::close);
      for (SharedBuffer[] of : new SharedBuffer[][] {recv, send}) {
        SharedBuffer buffer = of[rank];
        of[rank] = null;
        if (buffer != null) {
          buffer.close();
        }
      }
    }
  }
}
