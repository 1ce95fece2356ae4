package org.allreducelab.backends.opencl;

import java.util.HashMap;
import java.util.Map;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.device.Closing;
import org.jspecify.annotations.Nullable;

/** The SEND and RECV buffers of all ranks of a group, as blocks that all its contexts can see. */
final class GroupBlocks {
  private final Sharing sharing;
  private final Device device;
  private final Map<Key, Sharing.Block> blocks = new HashMap<>();
  private final Closing made = new Closing();
  private Sharing.@Nullable Blocks maker;
  private int ranks;

  private record Key(int rank, DataBuffer which) {}

  GroupBlocks(Sharing sharing, Device device) {
    this.sharing = sharing;
    this.device = device;
  }

  /**
   * A rank begins to use them. When the last one has closed what it gets, the blocks are closed.
   */
  AutoCloseable join() {
    ranks++;
    return () -> {
      if (--ranks == 0) {
        made.close();
      }
    };
  }

  /** Makes a rank's block. */
  void make(int rank, DataBuffer which, long bytes) {
    Sharing.Blocks present = maker;
    if (present == null) {
      present = made.keep(sharing.open(device));
      maker = present;
    }
    blocks.put(new Key(rank, which), made.keep(present.make(bytes)));
  }

  Sharing.Block of(int rank, DataBuffer which) {
    Sharing.Block present = blocks.get(new Key(rank, which));
    if (present == null) {
      throw new BackendException("rank " + rank + " has no memory that others see");
    }
    return present;
  }
}
