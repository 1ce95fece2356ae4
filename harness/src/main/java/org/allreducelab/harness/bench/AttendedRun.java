package org.allreducelab.harness.bench;

import java.io.PrintWriter;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.results.RunRecord;

/**
 * A session that somebody looks at: warnings and progress on standard error, the result on standard
 * output, then where it is kept.
 */
public final class AttendedRun {
  private final String command;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean stderrIsTerminal;

  /**
   * @param command that goes on with the run, for instance {@code lab bench}
   * @param stderrIsTerminal whether to show progress
   */
  public AttendedRun(String command, PrintWriter out, PrintWriter err, boolean stderrIsTerminal) {
    this.command = command;
    this.out = out;
    this.err = err;
    this.stderrIsTerminal = stderrIsTerminal;
  }

  /**
   * Runs the forks that are left.
   *
   * @param keeping what is to happen beside, before or after a fork is kept
   * @param report the result as text
   * @return the exit code
   */
  public int of(
      RunSession<?> session, UnaryOperator<RunLog> keeping, Function<RunRecord, String> report) {
    session.warnings().forEach(warning -> err.println("warning: " + warning));
    err.flush();
    ProgressLines progress = new ProgressLines(err, stderrIsTerminal);
    DriverShutdown.requireGoingOn();
    try (Interrupts interrupts = Interrupts.install()) {
      ForkLoop.Result result = session.run(interrupts::requested, progress, keeping);
      progress.clear();
      RunRecord run = session.finish();
      out.print(report.apply(run));
      out.flush();
      err.println(
          result.interrupted()
              ? "interrupted; kept in "
                  + session.folder()
                  + "; "
                  + command
                  + " --resume goes on with it"
              : "saved in " + session.folder());
      err.flush();
      if (result.interrupted()) {
        return ExitCode.INTERRUPTED;
      }
      return run.anyFailed() ? ExitCode.FAILURE : ExitCode.OK;
    }
  }
}
