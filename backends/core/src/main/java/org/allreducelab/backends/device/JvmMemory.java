package org.allreducelab.backends.device;

import java.nio.ByteBuffer;
import org.allreducelab.backends.BackendException;

/**
 * Direct memory of the JVM. The collector frees it: nothing keeps it after {@link #close}.
 *
 * @param bytes the memory
 */
record JvmMemory(ByteBuffer bytes) implements HostMemory {
  /**
   * @param alignment of the start; a power of two
   * @throws BackendException if the host has no memory for it
   */
  static JvmMemory allocate(int bytes, int alignment) {
    try {
      ByteBuffer whole = ByteBuffer.allocateDirect(bytes + alignment);
      int start = (alignment - whole.alignmentOffset(0, alignment)) & (alignment - 1);
      return new JvmMemory(whole.slice(start, bytes));
    } catch (OutOfMemoryError e) {
      throw new BackendException(
          "no host memory for "
              + bytes
              + " bytes of staging: "
              + e.getMessage()
              + "; give direct memory more room: LAB_JAVA_OPTS=-XX:MaxDirectMemorySize=8g",
          e);
    }
  }

  @Override
  public void close() {}
}
