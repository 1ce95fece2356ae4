package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.EXTExternalMemoryDmaBuf.VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
import static org.lwjgl.vulkan.VK11.VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

/** A kind of file descriptor that device memory is shared through. */
enum HandleType {
  OPAQUE_FD("opaque-fd", VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT),
  DMA_BUF("dma-buf", VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT);

  private final String label;
  private final int bit;

  HandleType(String label, int bit) {
    this.label = label;
    this.bit = bit;
  }

  String label() {
    return label;
  }

  int bit() {
    return bit;
  }

  Sharing sharing(DeviceFacts facts) {
    return this == OPAQUE_FD ? facts.opaqueFdMemory() : facts.dmaBufMemory();
  }
}
