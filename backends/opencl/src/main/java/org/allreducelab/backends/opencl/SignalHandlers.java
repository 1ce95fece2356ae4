package org.allreducelab.backends.opencl;

import java.util.function.Supplier;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
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
 *
 * <p>Until the call returns the driver's handlers are in place. So devices are asked for while no
 * other thread of the lab is busy.
 */
final class SignalHandlers {
  private static final int SIGNALS = 64;

  /** At least the size of {@code struct sigaction} in glibc and musl, 152. */
  private static final int ACTION_BYTES = 256;

  /** {@code sa_flags}, behind the handler's 8 bytes and the mask's 128. */
  private static final int FLAGS = 136;

  /** {@code Dl_info}: four pointers, the first one to the file's name. */
  private static final int INFO_BYTES = 32;

  private static final long SIGACTION = function("sigaction");
  private static final long DLADDR = function("dladdr");
  private static final String JAVA_HOME = System.getProperty("java.home") + "/";

  private SignalHandlers() {}

  private static long function(String name) {
    long process = DynamicLinkLoader.ndlopen(MemoryUtil.NULL, DynamicLinkLoader.RTLD_LAZY);
    long function = DynamicLinkLoader.dlsym(process, name);
    if (function == MemoryUtil.NULL) {
      throw new IllegalStateException("the C library has no " + name);
    }
    return function;
  }

  /**
   * Calls a driver, then puts every handler back that is another one than before, except where the
   * new one is the JVM's own.
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
        long wanted = action(before, signal);
        if (read(signal, now) && !same(now, wanted) && !isOfTheJdk(handlerOf(now))) {
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

  /** By handler, mask and flags: the kernel has 64 signals, the rest of the mask means nothing. */
  private static boolean same(long one, long other) {
    return handlerOf(one) == handlerOf(other)
        && MemoryUtil.memGetLong(one + Long.BYTES) == MemoryUtil.memGetLong(other + Long.BYTES)
        && MemoryUtil.memGetInt(one + FLAGS) == MemoryUtil.memGetInt(other + FLAGS);
  }

  private static long handlerOf(long action) {
    return MemoryUtil.memGetLong(action);
  }

  /** Such as the JVM's for a signal that another thread has begun to listen to meanwhile. */
  private static boolean isOfTheJdk(long handler) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      long info = stack.ncalloc(Long.BYTES, 1, INFO_BYTES);
      return JNI.invokePPI(handler, info, DLADDR) != 0
          && MemoryUtil.memGetAddress(info) != MemoryUtil.NULL
          && MemoryUtil.memUTF8(MemoryUtil.memGetAddress(info)).startsWith(JAVA_HOME);
    }
  }

  /** The address of the function that a signal calls; 0 for the default, 1 for none. */
  static long handler(int signal) {
    long action = MemoryUtil.nmemCallocChecked(1, ACTION_BYTES);
    try {
      if (!read(signal, action)) {
        throw new IllegalArgumentException("no handler can be read for signal " + signal);
      }
      return handlerOf(action);
    } finally {
      MemoryUtil.nmemFree(action);
    }
  }
}
