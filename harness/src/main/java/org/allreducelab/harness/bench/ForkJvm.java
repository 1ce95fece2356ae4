package org.allreducelab.harness.bench;

import java.lang.module.ModuleFinder;
import java.util.ArrayList;
import java.util.List;

/** The JVM that a fork runs on: this one's executable, with flags of its own. */
final class ForkJvm {
  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  /** What a fork needs beside the vectors: JMH, the simulator's blocks, compiled code. */
  private static final long BASE_HEAP_MIB = 256;

  /**
   * What a combine takes while its program is made and recorded. A ring of 64 ranks, 256 in a row,
   * keeps 170 bytes of each when it is done.
   */
  private static final long BYTES_PER_COMBINE = 512;

  private ForkJvm() {}

  /** Flags that do not depend on the case; a run records them. */
  static List<String> commonFlags() {
    List<String> flags = new ArrayList<>();
    // No collector threads beside the ranks' own, and no write to a memory-mapped file.
    flags.add("-XX:+UseSerialGC");
    flags.add("-XX:-UsePerfData");
    if (ModuleFinder.ofSystem().find(VECTOR_MODULE).isPresent()) {
      flags.add("--add-modules=" + VECTOR_MODULE);
    }
    int feature = Runtime.version().feature();
    if (feature >= 22) {
      flags.add("--enable-native-access=ALL-UNNAMED");
      flags.add("-Dorg.lwjgl.system.memoryBackend=ffm");
    }
    if (feature >= 23) {
      // JMH looks at objects' layouts through sun.misc.Unsafe, which newer JDKs warn of.
      flags.add("--sun-misc-unsafe-memory-access=allow");
    }
    return flags;
  }

  /**
   * All flags for a case: the heap fits its vectors and its program, and never grows while it is
   * measured.
   */
  static List<String> flags(ForkCase forkCase) {
    long vectorsMib = (forkCase.bytes() * forkCase.ranks() * forkCase.vectorsPerRank()) >> 20;
    long programMib = (forkCase.recordedCombines() * BYTES_PER_COMBINE) >> 20;
    String heap = BASE_HEAP_MIB + vectorsMib + programMib + "m";
    List<String> flags = new ArrayList<>(commonFlags());
    // Native libraries are unpacked there: a bundle's launcher has made a private folder for them.
    flags.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    flags.add("-Xms" + heap);
    flags.add("-Xmx" + heap);
    return flags;
  }
}
