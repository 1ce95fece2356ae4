package org.allreducelab.backends.opencl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.device.Closing;
import org.jspecify.annotations.Nullable;

/**
 * The SEND and RECV buffers that a rank reaches in its context: its own, and where the group has
 * blocks that all contexts see its peers', imported when first asked for.
 */
final class RankBuffers implements AutoCloseable {
  private final int rank;
  private final DeviceContext context;
  private final @Nullable GroupBlocks blocks;
  private final Map<Key, DeviceBuffer> buffers = new HashMap<>();
  private final Map<Key, DeviceBuffer> external = new HashMap<>();
  private final Closing made;

  private record Key(int rank, DataBuffer which) {}

  /**
   * @param bytes size of each of its own
   * @param blocks of the group, or null if peers do not see each other's
   */
  RankBuffers(int rank, DeviceContext context, long bytes, @Nullable GroupBlocks blocks) {
    this.rank = rank;
    this.context = context;
    this.blocks = blocks;
    try (Closing closing = new Closing()) {
      if (blocks != null) {
        closing.keep(blocks.join());
      }
      for (DataBuffer which : DataBuffer.values()) {
        if (blocks == null) {
          buffers.put(new Key(rank, which), closing.keep(new DeviceBuffer(context, bytes)));
        } else {
          blocks.make(rank, which, bytes);
        }
      }
      made = closing.handOver();
    }
  }

  DeviceBuffer own(DataBuffer which) {
    return of(rank, which);
  }

  DeviceBuffer of(int owner, DataBuffer which) {
    Key key = new Key(owner, which);
    DeviceBuffer present = buffers.get(key);
    return present == null ? add(key) : present;
  }

  private DeviceBuffer add(Key key) {
    if (blocks == null) {
      throw new BackendException("rank " + rank + " does not see buffers of rank " + key.rank());
    }
    Sharing.Block block = blocks.of(key.rank(), key.which());
    DeviceBuffer imported = made.keep(block.in(context));
    buffers.put(key, imported);
    if (block.isExternal()) {
      external.put(key, imported);
    }
    return imported;
  }

  /** Those that commands acquire before use and release afterwards. */
  List<DeviceBuffer> external() {
    return List.copyOf(external.values());
  }

  @Override
  public void close() {
    made.close();
  }
}
