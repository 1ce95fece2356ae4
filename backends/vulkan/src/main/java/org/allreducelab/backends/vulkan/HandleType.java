package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.EXTExternalMemoryDmaBuf.VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
import static org.lwjgl.vulkan.VK11.VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

import org.allreducelab.backends.SharedMemory;

/** A kind of file descriptor that device memory is shared through. */
enum HandleType {
  OPAQUE_FD(SharedMemory.OPAQUE_FD, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT),
  DMA_BUF(SharedMemory.DMA_BUF, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT);

  private final SharedMemory memory;
  private final int bit;

  HandleType(SharedMemory memory, int bit) {
    this.memory = memory;
    this.bit = bit;
  }

  String label() {
    return memory.label();
  }

  int bit() {
    return bit;
  }

  static HandleType of(SharedMemory memory) {
    return switch (memory) {
      case OPAQUE_FD -> OPAQUE_FD;
      case DMA_BUF -> DMA_BUF;
    };
  }

  SharedMemory memory() {
    return memory;
  }

  Sharing sharing(DeviceFacts facts) {
    return this == OPAQUE_FD ? facts.opaqueFdMemory() : facts.dmaBufMemory();
  }
}
