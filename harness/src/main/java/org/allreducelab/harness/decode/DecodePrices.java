package org.allreducelab.harness.decode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.algorithms.cost.Machine;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingPolicy;
import org.allreducelab.backends.staging.WindowFit;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;
import org.jspecify.annotations.Nullable;

/**
 * Decoding on paper: what a trace costs under a policy on a modelled machine.
 *
 * <pre>
 * step = computing + 2 · layers · (time of the schedule + waits · wait(resident bytes))
 * </pre>
 *
 * <p>Waits and resident bytes are those of the program that staging in host memory needs; waits are
 * served one after the other. A change of capacity is counted and costs nothing here.
 *
 * @param machine what the schedule's time is taken from
 * @param driver what waits cost, or null for nothing beyond the machine's latency
 * @param computeNs how long a step computes
 */
public record DecodePrices(Machine machine, @Nullable DriverModel driver, long computeNs) {
  /** Programs of more ranks take too long to lower for a table. */
  public static final int MOST_RANKS = 64;

  /** What one call of a step's all-reduce is. */
  private record Call(double scheduleNs, int waits, long requestBytes) {}

  /** A view of a trace under a policy. */
  private record Line(
      StagingPolicy policy,
      View view,
      double tokensPerS,
      double stepMs,
      long changes,
      double meanResident,
      long peakResident) {}

  /** Steps of a view, as they add up. */
  private static final class Sum {
    private long tokens;
    private double ns;
    private long steps;
    private long changes;
    private double resident;
    private long peak;
  }

  /** What to price. */
  public record Question(
      Algorithm algorithm, int ranks, int granule, Precision precision, Model model) {}

  /** A row per policy and view; decode rows first, the fastest policy first. */
  public Table table(Question question, List<Trace> traces, List<StagingPolicy> policies) {
    Table table =
        new Table(
            Column.text("policy", "policy"),
            Column.text("trace", "trace"),
            Column.text("phase", "phase"),
            Column.text("emulated", "emulated"),
            Column.decimal("tokens_per_s", "tokens/s", 2),
            Column.decimal("step_ms", "step ms", 3),
            Column.number("reallocations", "reallocations a rank"),
            Column.decimal("resident_mean_bytes", "resident mean", 0),
            Column.number("resident_peak_bytes", "resident peak"),
            Column.text("algorithm", "algorithm"),
            Column.number("ranks", "ranks"),
            Column.text("model", "model"));
    for (Trace trace : traces) {
      List<Line> lines = new ArrayList<>();
      policies.forEach(policy -> lines.addAll(lines(question, trace, policy)));
      lines.sort(
          Comparator.comparing(Line::view)
              .thenComparing(Line::tokensPerS, Comparator.reverseOrder()));
      for (Line line : lines) {
        table.row(
            line.policy.name(),
            trace.name(),
            line.view.label(),
            driver != null,
            line.tokensPerS,
            line.stepMs,
            line.changes,
            line.meanResident,
            line.peakResident,
            question.algorithm.name(),
            question.ranks,
            question.model.name());
      }
    }
    return table;
  }

  private List<Line> lines(Question question, Trace trace, StagingPolicy policy) {
    WindowFit fit =
        new WindowFit(
            LoweringSpec.of(question.precision, Transport.STAGED_HOST, Operands.OUT_OF_PLACE));
    Algorithm fitted =
        fit.fit(
            question.algorithm,
            question.ranks,
            question.model.count(trace.largestTokens()),
            question.granule,
            policy.largestRequestBytes());
    Map<Integer, List<Call>> calls = new HashMap<>();
    for (int tokens : trace.sizes()) {
      calls.put(tokens, calls(question, fitted, question.model.count(tokens)));
    }
    StagingReplay replay = new StagingReplay(policy);
    Map<View, Sum> sums = new HashMap<>();
    for (int i = 0; i < trace.steps().size(); i++) {
      Step step = trace.steps().get(i);
      long before = replay.changes();
      double ns = stepNs(replay, calls.getOrDefault(step.tokens(), List.of()), question);
      for (View view : View.values()) {
        if (view.has(step, trace.firstAfterPrefill(i))) {
          Sum sum = sums.computeIfAbsent(view, v -> new Sum());
          sum.tokens += step.tokens();
          sum.ns += ns;
          sum.steps++;
          sum.changes += replay.changes() - before;
          sum.resident += replay.residentBytes();
          sum.peak = Math.max(sum.peak, replay.residentBytes());
        }
      }
    }
    List<Line> lines = new ArrayList<>();
    sums.forEach(
        (view, sum) ->
            lines.add(
                new Line(
                    policy,
                    view,
                    sum.ns == 0 ? 0 : sum.tokens * 1e9 / sum.ns,
                    sum.ns / sum.steps / 1e6,
                    sum.changes,
                    sum.resident / sum.steps,
                    sum.peak)));
    return lines;
  }

  private double stepNs(StagingReplay replay, List<Call> calls, Question question) {
    double ns = computeNs;
    for (int i = 0; i < question.model.allReduces(); i++) {
      for (Call call : calls) {
        replay.request(call.requestBytes);
        double waitNs = driver == null ? 0 : driver.waitNs(replay.residentBytes());
        ns += call.scheduleNs + call.waits * waitNs;
      }
    }
    return ns;
  }

  private List<Call> calls(Question question, Algorithm algorithm, int count) {
    List<Call> calls = new ArrayList<>();
    for (Schedule part : WindowFit.parts(algorithm, question.ranks, count, question.granule)) {
      Program program =
          Lowering.lower(
              part,
              LoweringSpec.of(question.precision, Transport.STAGED_HOST, Operands.OUT_OF_PLACE));
      long request = 0;
      for (int rank = 0; rank < question.ranks; rank++) {
        request = Math.max(request, program.slotBytes(rank));
      }
      double scheduleNs = machine.price(part, question.precision).timeNs();
      calls.add(new Call(scheduleNs, program.waits(), request));
    }
    return calls;
  }
}
