package org.allreducelab.backends.vulkan;

import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryUtil;

/** Anonymous host memory that devices can import, aligned as they all need it. */
final class HostBlock implements AutoCloseable {
  private static final String KIND = "vulkan host block";

  private final long address;
  private final long bytes;
  private final boolean owned;
  private boolean closed;

  /**
   * @param bytes how much is needed; rounded up to the alignment
   * @param alignment a power of two
   * @param faults of a device, which may refuse it as a test asks
   * @throws BackendException if the host has no memory left
   */
  HostBlock(long bytes, long alignment, LogicalDevice faults) {
    this.bytes = (bytes + alignment - 1) & -alignment;
    address =
        faults.refuses("aligned_alloc")
            ? MemoryUtil.NULL
            : MemoryUtil.nmemAlignedAlloc(alignment, this.bytes);
    if (address == MemoryUtil.NULL) {
      throw new BackendException(
          "no host memory for " + this.bytes + " bytes of staging; use smaller vectors");
    }
    owned = true;
    LiveObjects.opened(KIND);
  }

  private HostBlock(long address, long bytes, boolean owned) {
    this.address = address;
    this.bytes = bytes;
    this.owned = owned;
  }

  /** Memory that somebody else made, aligned, and frees; closing this does nothing. */
  static HostBlock around(long address, long bytes) {
    return new HostBlock(address, bytes, false);
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (owned && !closed) {
      closed = true;
      MemoryUtil.nmemAlignedFree(address);
      LiveObjects.closed(KIND);
    }
  }
}
