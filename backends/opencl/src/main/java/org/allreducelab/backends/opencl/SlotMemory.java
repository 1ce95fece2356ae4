package org.allreducelab.backends.opencl;

import org.allreducelab.backends.device.HostMemory;

/** The host memory that slots of a rank lie in, where ranks have contexts of their own. */
enum SlotMemory {
  /** Made by the driver. */
  PINNED {
    @Override
    HostMemory make(CommandQueue queue, int bytes, int alignment) {
      return new PinnedMemory(queue, bytes, alignment);
    }
  },

  /** Made by the JVM. */
  PAGEABLE {
    @Override
    HostMemory make(CommandQueue queue, int bytes, int alignment) {
      return HostMemory.ofJvm(bytes, alignment);
    }
  };

  /**
   * @param queue of the rank's context
   * @param alignment of its start; a power of two
   */
  abstract HostMemory make(CommandQueue queue, int bytes, int alignment);
}
