package org.allreducelab.harness.doctor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a process that did not say it died: from its exit status, and from what the JVM prints when
 * it crashes. A crashed JVM ends by SIGABRT, whatever signal hit it, so its own words count more.
 */
final class LastWords {
  /** For instance {@code # SIGSEGV (0xb) at pc=0x…}. */
  private static final Pattern SIGNAL = Pattern.compile("^#\\s+(SIG[A-Z]+) \\(0x");

  /** The line after "Problematic frame", for instance {@code # C [libvulkan_lvp.so+0xd6839]}. */
  private static final Pattern FRAME = Pattern.compile("^# [CVJjAvV]\\s+(\\S.*)$");

  /** A process that a signal ended has this more than the signal's number. */
  private static final int SIGNALLED = 128;

  private String signal = "";
  private String frame = "";
  private String other = "";

  /** Hears a line of its output. */
  void heard(String line) {
    Matcher signalled = SIGNAL.matcher(line);
    Matcher framed = FRAME.matcher(line);
    if (signalled.find()) {
      signal = signalled.group(1);
    } else if (framed.matches()) {
      frame = framed.group(1).strip();
    } else if (!line.startsWith("#") && !line.isBlank()) {
      other = line.strip();
    }
  }

  /** For instance {@code SIGSEGV}, or {@code exit status 3}. */
  String code(int exitStatus) {
    if (!signal.isEmpty()) {
      return signal;
    }
    return exitStatus > SIGNALLED
        ? signalName(exitStatus - SIGNALLED)
        : "exit status " + exitStatus;
  }

  /** Where it crashed, or the last line that it printed; perhaps nothing. */
  String detail() {
    return frame.isEmpty() ? other : "in " + frame;
  }

  private static String signalName(int number) {
    return switch (number) {
      case 1 -> "SIGHUP";
      case 2 -> "SIGINT";
      case 3 -> "SIGQUIT";
      case 4 -> "SIGILL";
      case 5 -> "SIGTRAP";
      case 6 -> "SIGABRT";
      case 7 -> "SIGBUS";
      case 8 -> "SIGFPE";
      case 9 -> "SIGKILL";
      case 11 -> "SIGSEGV";
      case 13 -> "SIGPIPE";
      case 15 -> "SIGTERM";
      case 31 -> "SIGSYS";
      default -> "signal " + number;
    };
  }
}
