package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Finds loops as method handles, so that C2 compiles each as a unit of its own.
 *
 * <p>Why: a vector loop of a dozen operations takes some 15 000 of the 18 000 nodes up to which C2
 * inlines (NodeCountInliningCutoff). Inlined into its callers, as a hot method is, it meets the
 * limit half-way; from there vectors are objects, and 20 KiB take 25 µs instead of 1. C2 does not
 * inline through a method handle that is no constant, such as one in an instance field; the call
 * costs a few nanoseconds.
 */
final class OutOfLine {
  private OutOfLine() {}

  static MethodHandle find(MethodHandles.Lookup lookup, String name, MethodType type) {
    try {
      return lookup.findStatic(lookup.lookupClass(), name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(lookup.lookupClass() + " has no " + name + type, e);
    }
  }

  /** Loops throw nothing that is checked. */
  static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException r ? r : new IllegalStateException(e);
  }
}
