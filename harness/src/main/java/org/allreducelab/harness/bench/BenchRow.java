package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.Bandwidth;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.ForkStatus;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.TimeParts;
import org.allreducelab.results.Verification;
import org.jspecify.annotations.Nullable;

/**
 * One case's line of the result.
 *
 * @param benchCase what was measured
 * @param record its forks and choices
 * @param latency percentiles over the samples of all forks, or null if no fork was measured
 * @param fastest whether its median is the smallest of its block and size; never of a yardstick
 * @param overBare its median in medians of the bare dispatch of its devices, ranks, precision and
 *     size in the same run, or null if one of the two was not measured
 */
record BenchRow(
    BenchCase benchCase,
    CaseRecord record,
    @Nullable LatencySummary latency,
    boolean fastest,
    @Nullable Double overBare) {

  /** Forks of a case whose medians differ by more than this are not one distribution. */
  private static final double MOST_SPREAD = 1.5;

  /**
   * The smallest and the largest median of the case's forks, where they differ so much that one
   * median for all says little.
   *
   * @param leastNs of the fastest fork
   * @param mostNs of the slowest
   * @param leastOneNs an all-reduce of one element in the fastest, or null if not measured
   * @param mostOneNs the same in the slowest
   */
  record Spread(long leastNs, long mostNs, @Nullable Long leastOneNs, @Nullable Long mostOneNs) {}

  /** How far apart the forks are, or null where they are not. */
  @Nullable Spread spread() {
    List<ForkRecord> measured =
        record.forks().stream()
            .filter(fork -> fork.latency() != null)
            .sorted(Comparator.comparing(BenchRow::p50Ns))
            .toList();
    if (measured.isEmpty()) {
      return null;
    }
    ForkRecord fastestFork = measured.get(0);
    ForkRecord slowestFork = measured.get(measured.size() - 1);
    long leastNs = p50Ns(fastestFork);
    long mostNs = p50Ns(slowestFork);
    return mostNs > MOST_SPREAD * leastNs
        ? new Spread(leastNs, mostNs, oneElementNs(fastestFork), oneElementNs(slowestFork))
        : null;
  }

  private static long p50Ns(ForkRecord fork) {
    return Objects.requireNonNull(fork.latency()).p50Ns();
  }

  private static @Nullable Long oneElementNs(ForkRecord fork) {
    return Objects.requireNonNullElse(fork.parts(), TimeParts.UNKNOWN).oneElementNs();
  }

  /** Rows of every case that was tried, in the order of the cases' blocks, sizes and names. */
  static List<BenchRow> of(List<BenchCase> cases, RunRecord run, Map<String, Histogram> latencies) {
    Map<String, Long> best = new HashMap<>();
    Map<String, Long> bare = new HashMap<>();
    for (BenchCase c : cases) {
      Histogram samples = latencies.get(c.id());
      if (samples != null) {
        long p50Ns = LatencySummary.of(samples).p50Ns();
        switch (c.role()) {
          case CONTENDER -> best.merge(contest(c), p50Ns, Math::min);
          case SINGLE_QUEUE -> {}
          case BARE -> bare.put(submission(c), p50Ns);
        }
      }
    }
    return cases.stream()
        .map(c -> row(c, run.caseOf(c.id()), latencies.get(c.id()), best, bare))
        .filter(row -> !row.record().forks().isEmpty())
        .sorted(
            Comparator.comparing((BenchRow row) -> block(row.benchCase()))
                .thenComparing(row -> row.benchCase().bytes())
                .thenComparing(row -> row.benchCase().role())
                .thenComparing(row -> row.benchCase().algorithm()))
        .toList();
  }

  private static BenchRow row(
      BenchCase c,
      CaseRecord record,
      @Nullable Histogram samples,
      Map<String, Long> best,
      Map<String, Long> bare) {
    if (samples == null) {
      return new BenchRow(c, record, null, false, null);
    }
    LatencySummary latency = LatencySummary.of(samples);
    boolean fastest =
        c.role() == Role.CONTENDER && best.getOrDefault(contest(c), -1L) == latency.p50Ns();
    long bareNs = bare.getOrDefault(submission(c), 0L);
    Double overBare = bareNs == 0 ? null : Double.valueOf((double) latency.p50Ns() / bareNs);
    return new BenchRow(c, record, latency, fastest, overBare);
  }

  /** Cases whose submissions cost the same. */
  private static String submission(BenchCase c) {
    return devicesRanksPrecision(c) + " " + c.bytes();
  }

  /** Cases that compare with each other. */
  private static String contest(BenchCase c) {
    return block(c) + " " + c.bytes();
  }

  /** Sorts by devices, then ranks, precision and the rest. */
  static String block(BenchCase c) {
    return devicesRanksPrecision(c) + " " + c.inPlace();
  }

  private static String devicesRanksPrecision(BenchCase c) {
    return String.join("+", c.devices())
        + String.format(" %04d ", c.ranks())
        + c.precision().name();
  }

  /**
   * Bandwidths at the median, or null if no fork was measured, it took no time, or is no
   * all-reduce.
   */
  @Nullable Bandwidth bandwidth() {
    LatencySummary measured = latency;
    return measured == null || measured.p50Ns() == 0 || benchCase.role() == Role.BARE
        ? null
        : Bandwidth.of(benchCase.bytes(), (double) measured.p50Ns(), benchCase.ranks());
  }

  /** Medians over the forks of where the time goes; a part that no fork measured is absent. */
  TimeParts parts() {
    return new TimeParts(
        medianOfForks(TimeParts::submitNs),
        medianOfForks(TimeParts::waitNs),
        medianOfForks(TimeParts::deviceNs),
        medianOfForks(TimeParts::kernelsNs),
        medianOfForks(TimeParts::oneElementNs));
  }

  private @Nullable Long medianOfForks(Function<TimeParts, @Nullable Long> part) {
    List<Long> values = new ArrayList<>();
    for (ForkRecord fork : record.forks()) {
      TimeParts ofFork = fork.parts();
      Long value = ofFork == null ? null : part.apply(ofFork);
      if (value != null) {
        values.add(value);
      }
    }
    Collections.sort(values);
    return values.isEmpty() ? null : values.get(values.size() / 2);
  }

  /** Wrong elements found in all forks, before and after timing. */
  long wrongElements() {
    return record.forks().stream()
        .mapToLong(fork -> wrong(fork.before()) + wrong(fork.after()))
        .sum();
  }

  private static long wrong(@Nullable Verification verification) {
    return verification == null ? 0 : verification.wrongElements();
  }

  long failedForks() {
    return count(ForkStatus.FAILED);
  }

  long measuredForks() {
    return count(ForkStatus.OK);
  }

  private long count(ForkStatus status) {
    return record.forks().stream().filter(fork -> fork.status() == status).count();
  }

  /** Whether only windows of the vectors were compared. */
  boolean windowed() {
    return record.forks().stream()
        .map(ForkRecord::before)
        .anyMatch(verification -> verification != null && verification.windowed());
  }
}
