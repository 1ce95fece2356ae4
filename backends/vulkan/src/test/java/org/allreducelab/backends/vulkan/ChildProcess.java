package org.allreducelab.backends.vulkan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own, for what may end a process.
 *
 * @param exitCode its exit code, or -1 where it had to be ended
 * @param lines what it printed
 */
record ChildProcess(int exitCode, List<String> lines) {
  ChildProcess {
    lines = List.copyOf(lines);
  }

  static ChildProcess run(
      Path folder, Class<?> main, int seconds, List<String> flags, String... arguments)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-XX:ErrorFile=" + folder.resolve("crash.txt"));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    return new ChildProcess(ended ? process.exitValue() : -1, Files.readAllLines(out));
  }
}
