package org.allreducelab.backends;

/** The kind of handle through which ranks' devices share device memory. */
public enum SharedMemory {
  /** A descriptor that only the driver which made it understands. */
  OPAQUE_FD("opaque-fd"),
  /** A Linux dma-buf, which different drivers and devices can share. */
  DMA_BUF("dma-buf");

  private final String label;

  SharedMemory(String label) {
    this.label = label;
  }

  /** The name users type. */
  public String label() {
    return label;
  }
}
