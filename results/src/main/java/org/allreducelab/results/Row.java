package org.allreducelab.results;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table that data tools want: everything about one fork of one case, flat.
 *
 * <p>Derived from the cases; the columns are those of {@link CaseRecord}, {@link ResultKey}, {@link
 * ForkRecord}, {@link LatencySummary} and {@link TimeParts}. Bandwidths are those of the median; a
 * {@linkplain ResultKey#BARE_COPY bare copy} is no all-reduce and has none.
 *
 * @param caseId id of the case
 * @param devices endpoint ids joined with '+'
 * @param wrongElements wrong elements of both verifications together
 * @param algbwGBs algorithm bandwidth at p50, see {@link Bandwidth}
 * @param busbwGBs bus bandwidth at p50
 */
public record Row(
    String caseId,
    int fork,
    String benchmark,
    String devices,
    String algorithm,
    int ranks,
    int count,
    long bytes,
    String precision,
    int granule,
    boolean inPlace,
    @Nullable String placement,
    @Nullable String transport,
    @Nullable String sync,
    @Nullable String barrier,
    @Nullable String kernel,
    @Nullable String memory,
    @Nullable String queueFamily,
    @Nullable String queues,
    boolean emulated,
    boolean baseline,
    ForkStatus status,
    @Nullable String failure,
    Instant start,
    long elapsedMs,
    @Nullable Verdict verdictBefore,
    @Nullable Verdict verdictAfter,
    @Nullable Long wrongElements,
    @Nullable Double score,
    @Nullable String scoreUnit,
    @Nullable Long samples,
    @Nullable Long minNs,
    @Nullable Double meanNs,
    @Nullable Long p50Ns,
    @Nullable Long p90Ns,
    @Nullable Long p99Ns,
    @Nullable Long p999Ns,
    @Nullable Long maxNs,
    @Nullable Double algbwGBs,
    @Nullable Double busbwGBs,
    @Nullable Double allocatedBytesPerOp,
    @Nullable Long submitNs,
    @Nullable Long waitNs,
    @Nullable Long deviceNs,
    @Nullable Long kernelsNs,
    @Nullable Long oneElementNs) {

  /** The row of one fork. */
  static Row of(CaseRecord c, ForkRecord f) {
    ResultKey key = c.key();
    Choices choices = c.choices();
    Verification before = f.before();
    Verification after = f.after();
    Score score = f.score();
    LatencySummary latency = f.latency();
    TimeParts parts = Objects.requireNonNullElse(f.parts(), TimeParts.UNKNOWN);
    // A histogram can hold a median of 0 ns (clock granularity): no bandwidth then.
    Bandwidth bandwidth =
        latency == null || latency.p50Ns() == 0 || key.algorithm().equals(ResultKey.BARE_COPY)
            ? null
            : Bandwidth.of(c.bytes(), (double) latency.p50Ns(), key.ranks());
    return new Row(
        c.id(),
        f.index(),
        c.benchmark(),
        String.join("+", c.devices()),
        key.algorithm(),
        key.ranks(),
        key.count(),
        c.bytes(),
        key.precision(),
        key.granule(),
        c.inPlace(),
        value(choices.placement()),
        value(choices.transport()),
        value(choices.sync()),
        value(choices.barrier()),
        value(choices.kernel()),
        value(choices.memory()),
        value(choices.queueFamily()),
        value(choices.queues()),
        c.emulated(),
        c.baseline(),
        f.status(),
        f.failure(),
        f.start(),
        f.elapsedMs(),
        before == null ? null : before.verdict(),
        after == null ? null : after.verdict(),
        before == null && after == null ? null : Long.valueOf(wrong(before) + wrong(after)),
        score == null ? null : score.value(),
        score == null ? null : score.unit(),
        latency == null ? null : latency.samples(),
        latency == null ? null : latency.minNs(),
        latency == null ? null : latency.meanNs(),
        latency == null ? null : latency.p50Ns(),
        latency == null ? null : latency.p90Ns(),
        latency == null ? null : latency.p99Ns(),
        latency == null ? null : latency.p999Ns(),
        latency == null ? null : latency.maxNs(),
        bandwidth == null ? null : bandwidth.algbwGBs(),
        bandwidth == null ? null : bandwidth.busbwGBs(),
        f.allocatedBytesPerOp(),
        parts.submitNs(),
        parts.waitNs(),
        parts.deviceNs(),
        parts.kernelsNs(),
        parts.oneElementNs());
  }

  private static @Nullable String value(@Nullable Choice choice) {
    return choice == null ? null : choice.value();
  }

  private static long wrong(@Nullable Verification verification) {
    return verification == null ? 0 : verification.wrongElements();
  }
}
