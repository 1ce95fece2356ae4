package org.allreducelab.harness.decode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.harness.bench.ForkOutcome;
import org.allreducelab.harness.bench.RunLog;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.Measurement;
import org.allreducelab.results.Tag;
import org.allreducelab.results.store.RunFolderException;

/**
 * The timelines of a run: {@code steps/<case>.fork<i>.csv}, a line per step. Each is in place
 * before the run counts its fork, and written anew when a fork is repeated.
 */
final class Timelines {
  private final Path run;
  private final Path folder;

  /**
   * @param run the run's folder
   */
  Timelines(Path run) {
    this.run = run;
    this.folder = run.resolve("steps");
  }

  /** Keeps forks in {@code log}, with their phases and their timeline. */
  RunLog keepingIn(RunLog log) {
    return new RunLog() {
      @Override
      public boolean done(ForkId fork) {
        return log.done(fork);
      }

      @Override
      public void keep(String caseId, ForkOutcome outcome) {
        try {
          log.keep(caseId, withSteps(caseId, outcome));
        } catch (IOException e) {
          throw RunFolderException.stopped(run, e);
        }
      }
    };
  }

  private ForkOutcome withSteps(String caseId, ForkOutcome outcome) throws IOException {
    Path file = StepReport.in(run);
    Measurement measured = outcome.measurement();
    if (measured == null || !Files.exists(file)) {
      Files.deleteIfExists(file);
      return outcome;
    }
    StepReport report = StepReport.read(file);
    write(new ForkId(caseId, outcome.record().index()), report.lines());
    Files.delete(file);
    return new ForkOutcome(
        outcome.record(), outcome.choices(), measured.withPhases(report.decoded()));
  }

  private void write(ForkId fork, List<String> lines) throws IOException {
    Files.createDirectories(folder);
    List<String> all = new ArrayList<>();
    all.add(StepSample.HEADER);
    all.addAll(lines);
    Path temporary = folder.resolve("unfinished.csv");
    Files.write(temporary, all);
    Files.move(
        temporary, file(fork), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The steps of a measured fork, in order. */
  List<StepSample> read(ForkId fork) {
    try {
      return Files.readAllLines(file(fork)).stream().skip(1).map(StepSample::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(ForkId fork) {
    return folder.resolve(Tag.ofFork(fork).text() + ".csv");
  }
}
