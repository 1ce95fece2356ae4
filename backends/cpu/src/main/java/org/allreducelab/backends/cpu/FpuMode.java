package org.allreducelab.backends.cpu;

import org.allreducelab.backends.BackendException;

/** Whether the calling thread's floating-point unit keeps subnormals, as the numerics demand. */
final class FpuMode {
  /** Volatile, so that no compiler adds it up beforehand. */
  private static volatile float smallest = Float.MIN_VALUE;

  private FpuMode() {}

  /**
   * A native library can set flush-to-zero on threads that call it; new threads may inherit that.
   *
   * @throws BackendException if the thread flushes subnormals to zero
   */
  static void check() {
    float sum = smallest + smallest;
    if (Float.floatToRawIntBits(sum) != 2) {
      throw new BackendException(
          "thread "
              + Thread.currentThread().getName()
              + " flushes subnormal numbers to zero, so results would differ from the simulator;"
              + " open the group before loading the native library that does this");
    }
  }
}
