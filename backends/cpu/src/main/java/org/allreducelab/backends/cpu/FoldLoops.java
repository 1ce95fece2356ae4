package org.allreducelab.backends.cpu;

import org.allreducelab.backends.Choice;

/** The sets of inner loops there are, and which one this JVM can run: the benchmarks' entry. */
public final class FoldLoops {
  private static final String MODULE = "jdk.incubator.vector";
  private static final String VECTOR_LOOPS = "org.allreducelab.backends.cpu.vector.VectorLoops";

  private static final LoopSet SCALAR = new ScalarLoops();
  private static final Choice<LoopSet> BEST = choose();

  private FoldLoops() {}

  /** The scalar loops: always there. */
  public static LoopSet scalar() {
    return SCALAR;
  }

  /** The fastest loops that this JVM can run, with the reason: vector, or scalar and why. */
  public static Choice<LoopSet> best() {
    return BEST;
  }

  private static Choice<LoopSet> choose() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return new Choice<>(
          SCALAR, MODULE + " not added (run java with --add-modules " + MODULE + ")");
    }
    try {
      // By name only: where the module is missing, nothing that needs it may be linked.
      LoopSet vector =
          Class.forName(VECTOR_LOOPS)
              .asSubclass(LoopSet.class)
              .getConstructor(LoopSet.class)
              .newInstance(SCALAR);
      return new Choice<>(vector, MODULE + " added");
    } catch (ReflectiveOperationException | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Choice<>(SCALAR, "the vector loops do not run here: " + cause.getMessage());
    }
  }
}
