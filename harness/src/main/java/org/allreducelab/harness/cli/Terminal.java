package org.allreducelab.harness.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a person is watching. */
public final class Terminal {
  private Terminal() {}

  /** Whether standard error is a terminal: progress goes there, and only then. */
  public static boolean isStderr() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException | SecurityException e) {
      return false;
    }
  }
}
