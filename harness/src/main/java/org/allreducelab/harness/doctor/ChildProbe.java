package org.allreducelab.harness.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.harness.cli.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Runs each probe in a child process. The deadline is for one step of it, not for the whole: a
 * child that says nothing for so long is killed.
 */
final class ChildProbe implements ProbeRunner {
  private final ChildJvm jvm;
  private final Duration deadline;

  ChildProbe(ChildJvm jvm, Duration deadline) {
    this.jvm = jvm;
    this.deadline = deadline;
  }

  @Override
  public ProbeEnd run(Pair pair, ProbeMode mode, List<Block> sweep) {
    Child child = new Child(start(pair, mode, sweep));
    try {
      return child.follow(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a probe ran", e);
    } finally {
      child.kill();
    }
  }

  private Process start(Pair pair, ProbeMode mode, List<Block> sweep) {
    try {
      return new ProcessBuilder(
              jvm.command(ProbeMain.class, ProbeMain.arguments(pair, mode, sweep)))
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a process for a probe", e);
    }
  }

  /** A child that runs, and what it has said. */
  private static final class Child {
    private static final long LOOK_NS = 50_000_000;

    /** A process that a driver holds inside the kernel cannot be killed; it is left behind. */
    private static final long KILL_LIMIT_S = 5;

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final LastWords words = new LastWords();
    private String doing = "start a JVM";
    private @Nullable Attempt attempt;
    private @Nullable ProbeFinding finding;

    Child(Process process) {
      this.process = process;
      reader = new Thread(this::read, "probe-reader");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader from =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
        for (String line = from.readLine(); line != null; line = from.readLine()) {
          lines.add(line);
        }
      } catch (IOException e) {
        // The process was killed; what it said before is there.
      }
    }

    ProbeEnd follow(Duration deadline) throws InterruptedException {
      long silentNs = 0;
      long lookedNs = System.nanoTime();
      while (silentNs < deadline.toNanos()) {
        DriverShutdown.requireGoingOn();
        String line = lines.poll(LOOK_NS, TimeUnit.NANOSECONDS);
        if (line == null && !process.isAlive() && !reader.isAlive() && lines.isEmpty()) {
          return ended(process.waitFor());
        }
        long nowNs = System.nanoTime();
        // A look lasts no longer than that unless the machine, and the child with it, was
        // suspended.
        silentNs += Math.min(nowNs - lookedNs, 2 * LOOK_NS);
        lookedNs = nowNs;
        if (line != null && hear(line)) {
          silentNs = 0;
        }
      }
      ProbeFinding found = finding;
      return end(
          found != null && found.verdict() != ProbeVerdict.OK
              ? found
              : ProbeFinding.failed(
                  ProbeVerdict.TIMED_OUT,
                  "",
                  "no end of it within " + DurationText.format(deadline)));
    }

    /** Whether the line is the child's own. */
    private boolean hear(String text) {
      ChildLines.Line line = ChildLines.parse(text);
      if (line == null) {
        words.heard(text);
        return false;
      }
      if (line instanceof ChildLines.Step step) {
        doing = step.what();
        attempt = null;
      } else if (line instanceof ChildLines.Moving moving) {
        doing = "";
        attempt = moving.attempt();
      } else if (line instanceof ChildLines.End last) {
        finding = last.finding();
        if (finding.verdict() == ProbeVerdict.OK) {
          doing = "shut the driver down";
          attempt = null;
        }
      }
      return true;
    }

    private ProbeEnd ended(int exitStatus) {
      ProbeFinding found = finding;
      if (found != null && (exitStatus == 0 || found.verdict() != ProbeVerdict.OK)) {
        return end(found);
      }
      return end(ProbeFinding.failed(ProbeVerdict.CRASHED, words.code(exitStatus), words.detail()));
    }

    private ProbeEnd end(ProbeFinding found) {
      boolean tellStep = found.verdict() != ProbeVerdict.OK && attempt == null && !doing.isEmpty();
      String detail =
          tellStep
              ? "while it was to " + doing + (found.detail().isEmpty() ? "" : ": " + found.detail())
              : found.detail();
      return new ProbeEnd(
          new ProbeFinding(found.verdict(), found.code(), detail, found.wrongByte(), found.speed()),
          found.verdict() == ProbeVerdict.OK ? null : attempt);
    }

    void kill() {
      try {
        process.destroyForcibly().waitFor(KILL_LIMIT_S, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
