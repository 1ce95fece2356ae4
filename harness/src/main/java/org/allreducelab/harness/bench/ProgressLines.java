package org.allreducelab.harness.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.allreducelab.harness.cli.Progress;

/** Shows where a run stands, between forks only: printing takes time from the ranks. */
final class ProgressLines implements ForkLoop.Listener {
  private final PrintWriter err;
  private final Progress progress;

  ProgressLines(PrintWriter err, boolean terminal) {
    this.err = err;
    this.progress = new Progress(err, terminal);
  }

  @Override
  public void starting(
      ForkCase forkCase, int position, int total, Duration elapsed, Duration remaining) {
    progress.update(
        String.format(
            Locale.ROOT,
            "fork %d of %d · %s elapsed%s · %s",
            position,
            total,
            time(elapsed),
            remaining.isNegative() ? "" : ", about " + time(remaining) + " left",
            forkCase.id()));
  }

  @Override
  public void failed(ForkCase forkCase, int fork, String failure) {
    progress.clear();
    err.println("failed: " + forkCase.id() + " fork " + fork + ": " + failure);
    err.flush();
  }

  void clear() {
    progress.clear();
  }

  /** For instance {@code 45 s}, {@code 2 min 5 s}, {@code 26 h 10 min}. */
  static String time(Duration time) {
    long seconds = Math.max(0, time.plusMillis(500).toSeconds());
    if (seconds < 60) {
      return seconds + " s";
    }
    return seconds < 3600
        ? seconds / 60 + " min " + seconds % 60 + " s"
        : seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
  }
}
