package org.allreducelab.results.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.Choices;
import org.allreducelab.results.Environment;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.ForkStatus;
import org.allreducelab.results.Measurement;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.SuiteInfo;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A run being written, fork by fork.
 *
 * <pre>
 *   save:  latency.hlog  ──▶  jmh.json  ──▶  run.json
 *          append, force      replace        replace: from here on the fork counts
 * </pre>
 *
 * <p>Guarantees:
 *
 * <ol>
 *   <li>When a call of {@code save} returns, the fork is on the disk.
 *   <li>Killed at any moment, by a signal or a power cut, the run keeps every fork that {@code
 *       save} returned for: {@code run.json} is written last, and what the other two files hold
 *       beyond it is dropped when the run is resumed.
 *   <li>A {@code save} that throws has changed nothing that counts; it can be tried again.
 *   <li>No two stores write one run at the same time, in one process or in several.
 * </ol>
 *
 * <p>Thread-safe, so that a shutdown hook may {@link #finish} the run. Both JSON files are
 * rewritten for each fork; the cost is proportional to the forks done so far and is paid between
 * measurements.
 */
public final class RunStore implements AutoCloseable {
  private final RunFolder folder;
  private final RunLock lock;
  private final AtomicFile runJson;
  private final AtomicFile jmhJson;
  private final LatencyLog latencyLog;
  private final RunJsonWriter runWriter = new RunJsonWriter();
  private RunRecord run;
  private JmhReport report;
  private boolean closed;

  private RunStore(
      RunFolder folder, RunLock lock, LatencyLog latencyLog, RunRecord run, JmhReport report) {
    this.folder = folder;
    this.lock = lock;
    this.runJson = new AtomicFile(folder.runJson());
    this.jmhJson = new AtomicFile(folder.jmhJson());
    this.latencyLog = latencyLog;
    this.run = run;
    this.report = report;
  }

  /**
   * Starts a run in a new or empty folder.
   *
   * @param path the folder; missing parents are created
   * @param cases every case of the run, without forks
   * @throws RunFolderException if something lies there already or it cannot be written
   * @throws IllegalArgumentException if two cases share an id
   */
  public static RunStore create(
      Path path, Environment environment, SuiteInfo suite, List<CaseRecord> cases) {
    RunRecord planned = RunRecord.planned(environment, suite, cases);
    RunFolder folder = new RunFolder(path);
    NewFolder fresh = NewFolder.at(folder);
    RunLock lock = null;
    boolean ours = false;
    try {
      fresh.make();
      lock = RunLock.take(folder.lock());
      fresh.requireEmpty(); // another process may have been quicker
      ours = true;
      LatencyLog log = LatencyLog.create(folder.latencyLog(), environment.start());
      RunStore store = new RunStore(folder, lock, log, planned, JmhReport.empty());
      lock = null;
      return store.initialised();
    } catch (IOException e) {
      if (ours) {
        fresh.dropBeginnings();
      }
      throw unwritable(path, e, "; choose another --out");
    } finally {
      closeQuietly(lock);
    }
  }

  /**
   * Goes on with a run that was killed or stopped; forks that were interrupted will be repeated.
   *
   * @param now where and when it goes on; added to the record
   * @throws RunFolderException if there is no run, it is damaged, has another schema version, is
   *     being written, cannot be written, or has nothing left to do
   */
  public static RunStore resume(Path path, Environment now) {
    RunFolder folder = new RunFolder(path);
    folder.read(); // before the lock file is made in what may be no run folder
    RunLock lock = null;
    try {
      lock = RunLock.take(folder.lock());
      RunRecord run = folder.read();
      if (run.status().finished()) {
        throw new RunFolderException(
            Kind.NOTHING_TO_DO, path, "every fork of this run is done; nothing to resume");
      }
      Set<ForkId> measured = RunFolder.measured(run);
      JmhReport report = JmhReport.read(folder.jmhJson(), measured);
      LatencyLog log = LatencyLog.reopen(folder.latencyLog(), run.environment().start(), measured);
      RunStore store = new RunStore(folder, lock, log, run.resumedIn(now), report);
      lock = null;
      return store.initialised();
    } catch (IOException e) {
      throw unwritable(path, e);
    } finally {
      closeQuietly(lock);
    }
  }

  /** The folder of this run. */
  public Path folder() {
    return folder.path();
  }

  /** The run as it stands. */
  public synchronized RunRecord run() {
    return run;
  }

  /** The forks that are still to be run, case by case. */
  public synchronized List<ForkId> pending() {
    return run.pending();
  }

  /**
   * Notes how a case is executed; on the disk with the next {@code save} or {@link #finish}.
   *
   * @throws IllegalArgumentException if there is no such case
   */
  public synchronized void choose(String caseId, Choices choices) {
    requireOpen();
    run = run.withCase(caseId, c -> c.withChoices(choices));
  }

  /**
   * Records a fork that was measured, on the disk when the call returns.
   *
   * @param fork made with {@link ForkRecord#ok} from the same measurement
   * @throws RunFolderException if a file cannot be written
   * @throws IllegalArgumentException if there is no such fork, it is done already, it is not ok, or
   *     JMH's result does not fit the case's earlier ones
   */
  public synchronized void save(String caseId, ForkRecord fork, Measurement measurement) {
    if (fork.status() != ForkStatus.OK || !measurement.latency().equals(fork.latency())) {
      throw new IllegalArgumentException("this is not the measurement of " + fork);
    }
    ForkId id = new ForkId(caseId, fork.index());
    RunRecord nextRun = withFork(id, fork);
    JmhReport nextReport = report.plus(id, measurement.jmhJson());
    try {
      latencyLog.write(id, fork, measurement);
      jmhJson.write(nextReport.toBytes());
      runJson.write(runWriter.write(nextRun));
    } catch (IOException e) {
      throw RunFolderException.stopped(folder.path(), e);
    }
    latencyLog.commit();
    report = nextReport;
    run = nextRun;
  }

  /**
   * Records a fork that failed or was interrupted, on the disk when the call returns.
   *
   * @throws RunFolderException if a file cannot be written
   * @throws IllegalArgumentException if there is no such fork, it is done already, or it is ok
   */
  public synchronized void save(String caseId, ForkRecord fork) {
    if (fork.status() == ForkStatus.OK) {
      throw new IllegalArgumentException("a fork that is ok is saved with its measurement");
    }
    RunRecord next = withFork(new ForkId(caseId, fork.index()), fork);
    writeRun(next);
  }

  /**
   * Ends the run: complete or failed if every fork is done, interrupted otherwise.
   *
   * @return the run as it was written last
   * @throws RunFolderException if a file cannot be written
   */
  public synchronized RunRecord finish() {
    requireOpen();
    writeRun(run.finishedAt(Instant.now().truncatedTo(ChronoUnit.MILLIS)));
    close();
    return run;
  }

  /**
   * Releases the files; a run that was not finished can be resumed. Does nothing the second time.
   */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      closeQuietly(latencyLog);
      closeQuietly(lock);
    }
  }

  /** Puts the files into the state that the record says, or frees everything. */
  private RunStore initialised() throws IOException {
    try {
      jmhJson.removeLeftover();
      runJson.removeLeftover();
      jmhJson.write(report.toBytes());
      runJson.write(runWriter.write(run));
      return this;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private RunRecord withFork(ForkId id, ForkRecord fork) {
    requireOpen();
    if (!run.pending().contains(id)) {
      throw new IllegalArgumentException(
          "fork " + id.index() + " of case " + id.caseId() + " is done already or not planned");
    }
    return run.withCase(id.caseId(), c -> c.withFork(fork));
  }

  private void writeRun(RunRecord next) {
    try {
      runJson.write(runWriter.write(next));
    } catch (IOException e) {
      throw RunFolderException.stopped(folder.path(), e);
    }
    run = next;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this run is closed: " + folder.path());
    }
  }

  private static RunFolderException unwritable(Path path, IOException e) {
    return unwritable(path, e, "");
  }

  private static RunFolderException unwritable(Path path, IOException e, String remedy) {
    return new RunFolderException(
        Kind.UNWRITABLE, path, "cannot be written: " + FileTrouble.reason(e) + remedy, e);
  }

  /** All content was forced to the disk before, so a failing close loses nothing. */
  private static void closeQuietly(@Nullable AutoCloseable resource) {
    if (resource == null) {
      return;
    }
    try {
      resource.close();
    } catch (Exception e) {
      System.getLogger(RunStore.class.getName())
          .log(System.Logger.Level.WARNING, "closing a run folder: " + e);
    }
  }
}
