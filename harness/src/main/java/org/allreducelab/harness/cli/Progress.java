package org.allreducelab.harness.cli;

import java.io.PrintWriter;

/** One line on a terminal that is written over as work goes on; silent when nobody watches. */
public final class Progress {
  private static final long REDRAW_NS = 100_000_000;

  private final PrintWriter err;
  private final boolean shown;
  private long lastNs = System.nanoTime() - REDRAW_NS;
  private int width;

  /**
   * Writes to a terminal, or to nothing.
   *
   * @param shown whether {@code err} is a terminal
   */
  public Progress(PrintWriter err, boolean shown) {
    this.err = err;
    this.shown = shown;
  }

  /** Shows a line, at most ten times a second. */
  public void update(String line) {
    long now = System.nanoTime();
    if (shown && now - lastNs >= REDRAW_NS) {
      lastNs = now;
      err.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
      err.flush();
      width = line.length();
    }
  }

  /** Takes the line away, before something else is printed. */
  public void clear() {
    if (shown && width > 0) {
      err.print("\r" + " ".repeat(width) + "\r");
      err.flush();
      width = 0;
    }
  }
}
