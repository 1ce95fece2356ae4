package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark run: the content of {@code run.json}.
 *
 * @param schemaVersion version of the format, {@value #SCHEMA_VERSION}; fields may be added under
 *     the same version, nothing is renamed, removed or given another meaning
 * @param status where the run stands
 * @param environment where, when and how the run was started
 * @param resumed the same for each time it was resumed, in order
 * @param finished when the last fork was done or the run was stopped, UTC; absent while running
 * @param suite the suite and the settings all cases share
 * @param cases every case of the run, those that have not run yet too
 */
@JsonPropertyOrder({
  "schemaVersion",
  "status",
  "environment",
  "resumed",
  "finished",
  "suite",
  "cases",
  "rows"
})
public record RunRecord(
    int schemaVersion,
    RunStatus status,
    Environment environment,
    List<Environment> resumed,
    @Nullable Instant finished,
    SuiteInfo suite,
    List<CaseRecord> cases) {
  /** The version this build reads and writes. */
  public static final int SCHEMA_VERSION = 1;

  /**
   * @throws IllegalArgumentException if the version is another, two cases share an id, or a fork's
   *     number is beyond the suite's
   */
  public RunRecord {
    if (schemaVersion != SCHEMA_VERSION) {
      throw new IllegalArgumentException(
          "schemaVersion must be " + SCHEMA_VERSION + ", not " + schemaVersion);
    }
    requireNonNull(status, "status");
    requireNonNull(environment, "environment");
    requireNonNull(suite, "suite");
    resumed = List.copyOf(requireNonNull(resumed, "resumed"));
    cases = List.copyOf(requireNonNull(cases, "cases"));
    requireCases(suite, cases);
  }

  /** A run of which nothing has been done. */
  public static RunRecord planned(
      Environment environment, SuiteInfo suite, List<CaseRecord> cases) {
    return new RunRecord(
        SCHEMA_VERSION, RunStatus.RUNNING, environment, List.of(), null, suite, cases);
  }

  /**
   * The case of that id.
   *
   * @throws IllegalArgumentException if there is none
   */
  public CaseRecord caseOf(String id) {
    return cases.stream()
        .filter(c -> c.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no case '" + id + "' in this run"));
  }

  /** The forks that are done, case by case. */
  public List<ForkId> done() {
    List<ForkId> done = new ArrayList<>();
    for (CaseRecord c : cases) {
      c.forks().stream()
          .filter(ForkRecord::done)
          .forEach(f -> done.add(new ForkId(c.id(), f.index())));
    }
    return done;
  }

  /** The forks that are still to be run, case by case. */
  public List<ForkId> pending() {
    Set<ForkId> done = new HashSet<>(done());
    List<ForkId> pending = new ArrayList<>();
    for (CaseRecord c : cases) {
      for (int i = 0; i < suite.forks(); i++) {
        ForkId fork = new ForkId(c.id(), i);
        if (!done.contains(fork)) {
          pending.add(fork);
        }
      }
    }
    return pending;
  }

  /** Whether any fork failed. */
  public boolean anyFailed() {
    return cases.stream()
        .flatMap(c -> c.forks().stream())
        .anyMatch(f -> f.status() == ForkStatus.FAILED);
  }

  /** The tidy table: one row per case and fork; also written to the file, and never read back. */
  @JsonProperty(value = "rows", access = JsonProperty.Access.READ_ONLY)
  public List<Row> rows() {
    return cases.stream().flatMap(c -> c.rows().stream()).toList();
  }

  /**
   * The same run with one case changed.
   *
   * @throws IllegalArgumentException if there is no such case
   */
  public RunRecord withCase(String id, UnaryOperator<CaseRecord> change) {
    CaseRecord before = caseOf(id);
    List<CaseRecord> changed = new ArrayList<>(cases);
    changed.set(cases.indexOf(before), change.apply(before));
    return new RunRecord(schemaVersion, status, environment, resumed, finished, suite, changed);
  }

  /** The same run as it goes on: running again, without the forks that are to be repeated. */
  public RunRecord resumedIn(Environment now) {
    List<Environment> sessions = new ArrayList<>(resumed);
    sessions.add(now);
    return new RunRecord(
        schemaVersion,
        RunStatus.RUNNING,
        environment,
        sessions,
        null,
        suite,
        cases.stream().map(CaseRecord::withDoneForks).toList());
  }

  /** The same run, ended: interrupted if forks are left, failed if any failed, else complete. */
  public RunRecord finishedAt(Instant end) {
    RunStatus last =
        !pending().isEmpty()
            ? RunStatus.INTERRUPTED
            : anyFailed() ? RunStatus.FAILED : RunStatus.COMPLETE;
    return new RunRecord(schemaVersion, last, environment, resumed, end, suite, cases);
  }

  private static void requireCases(SuiteInfo suite, List<CaseRecord> cases) {
    Set<String> ids = new HashSet<>();
    for (CaseRecord c : cases) {
      if (!ids.add(c.id())) {
        throw new IllegalArgumentException("two cases have the id " + c.id());
      }
      for (ForkRecord f : c.forks()) {
        if (f.index() >= suite.forks()) {
          throw new IllegalArgumentException(
              "case " + c.id() + ": fork " + f.index() + " of " + suite.forks());
        }
      }
    }
  }
}
