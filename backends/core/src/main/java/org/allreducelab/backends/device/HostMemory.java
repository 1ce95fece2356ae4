package org.allreducelab.backends.device;

import java.nio.ByteBuffer;
import org.allreducelab.backends.BackendException;

/** A piece of host memory that slots lie in. */
public interface HostMemory extends AutoCloseable {

  /** The memory: direct, and position 0 is the first byte. */
  ByteBuffer bytes();

  /**
   * Memory of the JVM.
   *
   * @param bytes how much
   * @param alignment of its start; a power of two
   * @throws BackendException if the host has none left
   */
  static HostMemory ofJvm(int bytes, int alignment) {
    return JvmMemory.allocate(bytes, alignment);
  }

  /** Frees it, or leaves that to the collector. Nothing may use it any more. */
  @Override
  void close();
}
