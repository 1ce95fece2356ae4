package org.allreducelab.harness.doctor;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM of a child: this one's executable and class path.
 *
 * @param classPath its class path
 * @param flags its flags
 */
record ChildJvm(String classPath, List<String> flags) {
  /** Flags of this JVM that children get too: they keep newer JDKs quiet, and settings ours. */
  private static final List<String> INHERITED =
      List.of(
          "--enable-native-access",
          "--sun-misc-unsafe-memory-access",
          "-Dorg.lwjgl.",
          "-Dallreducelab.",
          "-Djava.io.tmpdir=");

  /** The vectors of a probe are the size of its largest block; two of them lie on the heap. */
  private static final List<String> OWN =
      List.of(
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:-CreateCoredumpOnCrash",
          // A crash is a finding: what it prints is enough, no file is to be left behind.
          "-XX:ErrorFile=/dev/null");

  ChildJvm {
    flags = List.copyOf(flags);
  }

  static ChildJvm ofThisProcess() {
    List<String> flags = new ArrayList<>(OWN);
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (INHERITED.stream().anyMatch(flag::startsWith)) {
        flags.add(flag);
      }
    }
    return new ChildJvm(System.getProperty("java.class.path"), flags);
  }

  /** The command line that runs a class. */
  List<String> command(Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(classPath);
    command.add(main.getName());
    command.addAll(arguments);
    return command;
  }
}
