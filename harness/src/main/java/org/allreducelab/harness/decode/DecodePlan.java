package org.allreducelab.harness.decode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Windowed;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.staging.StagingPolicy;
import org.allreducelab.backends.staging.WindowFit;
import org.allreducelab.harness.bench.RunSession;
import org.allreducelab.harness.cli.AlgorithmList;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.CaseMatrix;
import org.allreducelab.harness.cli.ForcedChoices;
import org.allreducelab.harness.cli.InPlace;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.PolicyList;
import org.allreducelab.harness.cli.PrecisionList;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.SharedOptions;
import org.allreducelab.harness.cli.SizeList;
import org.allreducelab.harness.cli.UsageException;

/**
 * The cases of a run: every trace under every policy on every group.
 *
 * @param cases in the order of the table, each id once
 * @param endpoints the devices that take part
 * @param notes lines to tell once it is sure that the run starts: what other devices are here, and
 *     each combination that is not defined
 * @param warnings a line for each group on which policies decide nothing
 */
record DecodePlan(
    List<DecodeCase> cases, List<Endpoint> endpoints, List<String> notes, List<String> warnings) {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /**
   * Expands options; what cannot be is said before anything is measured.
   *
   * @throws UsageException if an option is wrong, or a trace does not fit the memory cap
   * @throws UnavailableException if a device is not here, or cannot do what is asked for
   */
  static DecodePlan of(
      SharedOptions options,
      TraceOptions traced,
      DecodeOptions decode,
      double rate,
      Inventory inventory) {
    requireDecodable(options);
    List<Trace> traces = traced.traces();
    requireDifferentNames(traces);
    Model model = traced.model();
    Await await = decode.await();
    long computeNs = traced.computeNs();
    DriverModel driverModel = traced.driverModel();
    long memoryCapBytes = decode.memoryCapBytes();
    CaseMatrix matrix =
        CaseMatrix.of(
            options.groups(inventory),
            options.ranks(RankList.of(2)),
            options.precisionsOr(PrecisionList.parse("f32")),
            options.algorithmsOr(AlgorithmList.parse("ring")),
            SizeList.counts("1"),
            InPlace.FALSE);
    Map<String, DecodeCase> cases = new LinkedHashMap<>();
    Set<Endpoint> endpoints = new LinkedHashSet<>();
    List<String> warnings = new ArrayList<>();
    List<StagingPolicy> policies = options.policiesOr(PolicyList.parse("all")).values();
    for (Case c : matrix.cases()) {
      endpoints.addAll(c.group().devices());
      EngineModel engine =
          new EngineModel(
              await,
              computeNs,
              driverModel,
              decode.inactiveRanks(c.ranks()),
              memoryCapBytes,
              rate,
              options.deadlineOr(DEADLINE));
      Kind kind = new Kind(c, forced(options), options.granule(), model, engine);
      Choices choices = kind.requirePossible();
      if (policies.size() > 1 && !kind.stages(traces, choices)) {
        warnings.add(kind.nothingToDecide(choices));
      }
      for (Trace trace : traces) {
        for (StagingPolicy policy : policies) {
          DecodeCase decodeCase = kind.decodeCase(trace, policy, choices);
          cases.putIfAbsent(decodeCase.id(), decodeCase);
        }
      }
    }
    List<String> notes = new ArrayList<>(options.elsewhere(inventory));
    notes.addAll(matrix.skipped());
    return new DecodePlan(List.copyOf(cases.values()), List.copyOf(endpoints), notes, warnings);
  }

  /** Refuses options that other commands share and that decide nothing here. */
  private static void requireDecodable(SharedOptions options) {
    if (options.typedSizes() != null) {
      throw new UsageException(
          "the model and the trace decide the sizes here; leave --bytes and --count out");
    }
    if (options.inPlaceOr(InPlace.FALSE) != InPlace.FALSE) {
      throw new UsageException(
          "decode runs out of place, so that inputs stay what they are; leave --in-place out");
    }
  }

  /** A case is called after its trace, so two of one name would be measured as one. */
  private static void requireDifferentNames(List<Trace> traces) {
    Map<String, Trace> named = new HashMap<>();
    for (Trace trace : traces) {
      Trace other = named.putIfAbsent(trace.name(), trace);
      if (other != null && !other.equals(trace)) {
        throw new UsageException(
            "two traces are called " + trace.name() + "; give one of the files another name");
      }
    }
  }

  /** Policies decide on staging memory, so by default messages are staged. */
  private static ForcedChoices forced(SharedOptions options) {
    Map<String, String> labels = new LinkedHashMap<>(options.forced().labels());
    labels.putIfAbsent("transport", Transport.STAGED_HOST.label());
    return ForcedChoices.of(labels);
  }

  /** The traces, each once. */
  List<Trace> traces() {
    return cases.stream().map(DecodeCase::trace).distinct().toList();
  }

  /** What a session needs of it. */
  RunSession.Plan<DecodeCase> run() {
    return new RunSession.Plan<>(cases, endpoints, warnings);
  }

  /** Cases that differ in trace and policy only. */
  private record Kind(Case c, ForcedChoices forced, int granule, Model model, EngineModel engine) {

    /** What such a group chooses; an empty one is opened and made to compute. */
    Choices requirePossible() {
      List<String> ids = c.group().endpointIds(c.ranks());
      GroupSpec spec =
          forced
              .applyTo(GroupSpec.builder(ids))
              .precision(c.precision())
              .inactiveRanks(engine.inactiveRanks())
              .driverModel(engine.driverModel())
              .build();
      try (Group group = c.group().backend().open(spec)) {
        if (engine.computeNs() > 0 && engine.await() == Await.TOKEN) {
          requireCompute(group);
        }
        return group.choices();
      }
    }

    private void requireCompute(Group group) {
      try {
        group.compute(1);
        group.await();
      } catch (UnavailableException e) {
        throw new UnavailableException(
            c.group().label()
                + " cannot compute between all-reduces without the host; with --await each the host"
                + " does it, or use --compute 0");
      }
    }

    private WindowFit fit(Choices choices) {
      return new WindowFit(
          LoweringSpec.of(c.precision(), choices.transport().value(), Operands.OUT_OF_PLACE)
              .withBarrier(choices.barrier().value())
              .withInactiveRanks(engine.inactiveRanks()));
    }

    /** Whether any message needs staging memory: policies decide on nothing else. */
    boolean stages(List<Trace> traces, Choices choices) {
      WindowFit fit = fit(choices);
      return traces.stream()
          .flatMap(trace -> trace.sizes().stream())
          .distinct()
          .anyMatch(
              tokens ->
                  fit.requestBytes(c.algorithm(), c.ranks(), model.count(tokens), granule) > 0);
    }

    String nothingToDecide(Choices choices) {
      return "nothing is staged on "
          + c.group().label()
          + " ("
          + c.ranks()
          + (c.ranks() == 1 ? " rank, " : " ranks, ")
          + c.algorithm().name()
          + ", "
          + choices.transport().value().label()
          + "): policies decide nothing there, and differ by noise alone; --policy grow-only"
          + " measures it once";
    }

    DecodeCase decodeCase(Trace trace, StagingPolicy policy, Choices choices) {
      WindowFit fit = fit(choices);
      int largest = model.count(trace.largestTokens());
      Algorithm fitted = fitted(fit, largest, policy);
      DecodeCase decodeCase =
          new DecodeCase(
              c.group().devices().stream().map(Endpoint::id).toList(),
              c.ranks(),
              c.algorithm().name(),
              c.precision(),
              granule,
              fitted instanceof Windowed windowed ? windowed.window() : 0,
              forced,
              policy.name(),
              model,
              trace,
              engine);
      requireFits(decodeCase, fit, policy);
      return decodeCase;
    }

    private Algorithm fitted(WindowFit fit, int count, StagingPolicy policy) {
      try {
        return fit.fit(c.algorithm(), c.ranks(), count, granule, policy.largestRequestBytes());
      } catch (BackendException e) {
        throw new UsageException(policy.name() + ": " + e.getMessage(), e);
      }
    }

    private void requireFits(DecodeCase decodeCase, WindowFit fit, StagingPolicy policy) {
      if (engine.memoryCapBytes() == Long.MAX_VALUE) {
        return;
      }
      StagingReplay replay = new StagingReplay(policy);
      for (Step step : decodeCase.trace().steps()) {
        long request =
            fit.requestBytes(
                decodeCase.windowedAlgorithm(), c.ranks(), model.count(step.tokens()), granule);
        replay.request(request, model.allReduces());
        if (replay.residentBytes() > engine.memoryCapBytes()) {
          throw new UsageException(
              "trace "
                  + decodeCase.trace().name()
                  + " does not fit: policy "
                  + policy.name()
                  + " keeps "
                  + replay.residentBytes()
                  + " bytes of staging memory on a rank at a step of "
                  + step.tokens()
                  + " tokens, and --memory-cap allows "
                  + engine.memoryCapBytes()
                  + "; allow more, choose another policy such as fixed:64KiB, or a shorter prompt");
        }
      }
    }
  }
}
