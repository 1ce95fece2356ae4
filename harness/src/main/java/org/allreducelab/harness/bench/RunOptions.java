package org.allreducelab.harness.bench;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.results.store.RunFolderException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a run is kept, and whether it is a new one. A mixin of the commands that measure. */
public final class RunOptions {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run's folder, new or empty (default: results/runs/<time>-<suite>).")
  private @Nullable String out;

  @Option(
      names = "--resume",
      paramLabel = "RUN",
      description = "Go on with a run that was stopped, with its own options and seed.")
  private @Nullable String resume;

  @Option(names = "--dry-run", description = "Show the cases; run nothing.")
  private boolean dryRun;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Picocli sets the fields. */
  @SuppressWarnings("NullAway.Init")
  public RunOptions() {}

  /** A command that can do both. */
  public interface Command {
    /** Starts a run, and returns the exit code. */
    int start();

    /** Goes on with the run in that folder, and returns the exit code. */
    int goOn(Path run);
  }

  /**
   * Starts a run, or goes on with the one that was named.
   *
   * @return the exit code
   * @throws UsageException if a run folder cannot be used
   */
  public int call(Command command) {
    try {
      return resume == null ? command.start() : command.goOn(path(resume));
    } catch (RunFolderException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** What was typed, as a run records it. */
  public List<String> commandLine() {
    return command.root().commandLine().getParseResult().originalArgs();
  }

  public boolean dryRun() {
    return dryRun;
  }

  /** Whether an option was typed that a run that goes on has no use for. */
  public boolean ofNewRunsOnly() {
    return out != null || dryRun;
  }

  /** The folder of a new run of that suite. */
  public Path folder(String suite) {
    return out == null ? RunFolders.fresh(suite, Clock.systemUTC()) : path(out);
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new UsageException("'" + text + "' is no path: " + e.getReason(), e);
    }
  }
}
