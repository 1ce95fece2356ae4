package org.allreducelab.backends.opencl;

import java.util.function.Supplier;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.linux.DynamicLinkLoader;

/**
 * Keeps the signal handlers of the process as they are while a driver is called.
 *
 * <p>The JVM lives on signals: it stops threads by a memory access that fails (SIGSEGV), finds null
 * pointers and divisions by zero by signals too, and ends in order on SIGINT. PoCL replaces these
 * handlers when it is asked for its devices: LLVM's are for the next signal only and then print a
 * crash report or put back what was there before, so that of two threads which the JVM stops at
 * once one may find no handler and kill the process without a word; and PoCL's own for SIGFPE makes
 * a division by zero in Java go on with any number (seen with PoCL 3.1 and LLVM 15; {@code
 * sigaction(2)}: SA_RESETHAND). Drivers need none of them for kernels that neither divide nor fail.
 */
final class SignalHandlers {
  private static final int SIGNALS = 64;

  /** At least the size of {@code struct sigaction} in glibc and musl, 152. */
  private static final int ACTION_BYTES = 256;

  private static final long SIGACTION = sigaction();

  private SignalHandlers() {}

  private static long sigaction() {
    long process = DynamicLinkLoader.ndlopen(MemoryUtil.NULL, DynamicLinkLoader.RTLD_LAZY);
    long function = DynamicLinkLoader.dlsym(process, "sigaction");
    if (function == MemoryUtil.NULL) {
      throw new IllegalStateException("the C library has no sigaction");
    }
    return function;
  }

  /**
   * Calls a driver, then puts every handler back that is another one than before.
   *
   * @throws RuntimeException what {@code calls} throws; handlers are put back then too
   */
  static synchronized <T> T keptDuring(Supplier<T> calls) {
    long before = MemoryUtil.nmemCallocChecked(SIGNALS + 1, ACTION_BYTES);
    try {
      for (int signal = 1; signal <= SIGNALS; signal++) {
        read(signal, action(before, signal));
      }
      try {
        return calls.get();
      } finally {
        putBack(before);
      }
    } finally {
      MemoryUtil.nmemFree(before);
    }
  }

  private static void putBack(long before) {
    long now = MemoryUtil.nmemCallocChecked(1, ACTION_BYTES);
    try {
      for (int signal = 1; signal <= SIGNALS; signal++) {
        MemoryUtil.memSet(now, 0, ACTION_BYTES);
        long wanted = action(before, signal);
        if (read(signal, now) && !equal(now, wanted)) {
          JNI.invokePPI(signal, wanted, MemoryUtil.NULL, SIGACTION);
        }
      }
    } finally {
      MemoryUtil.nmemFree(now);
    }
  }

  private static long action(long actions, int signal) {
    return actions + (long) signal * ACTION_BYTES;
  }

  /** False for signals that the C library keeps to itself. */
  private static boolean read(int signal, long into) {
    return JNI.invokePPI(signal, MemoryUtil.NULL, into, SIGACTION) == 0;
  }

  private static boolean equal(long one, long other) {
    for (int i = 0; i < ACTION_BYTES; i += Long.BYTES) {
      if (MemoryUtil.memGetLong(one + i) != MemoryUtil.memGetLong(other + i)) {
        return false;
      }
    }
    return true;
  }

  /** The address of the function that a signal calls; 0 for the default, 1 for none. */
  static long handler(int signal) {
    long action = MemoryUtil.nmemCallocChecked(1, ACTION_BYTES);
    try {
      if (!read(signal, action)) {
        throw new IllegalArgumentException("no handler can be read for signal " + signal);
      }
      return MemoryUtil.memGetLong(action);
    } finally {
      MemoryUtil.nmemFree(action);
    }
  }
}
