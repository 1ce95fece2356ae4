package org.allreducelab.harness.bench;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.DeviceInfo;
import org.allreducelab.results.Environment;
import org.allreducelab.results.IterationPlan;
import org.allreducelab.results.Machine;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.SuiteInfo;
import org.allreducelab.results.store.RunFolder;
import org.allreducelab.results.store.RunStore;

/**
 * One session of a run: a new run, or one that goes on.
 *
 * @param <C> what it measures
 */
public final class RunSession<C extends ForkCase> implements AutoCloseable {
  private final RunStore store;
  private final List<C> cases;
  private final ForkSettings settings;
  private final long seed;
  private final List<String> warnings;

  private RunSession(
      RunStore store, List<C> cases, ForkSettings settings, long seed, List<String> warnings) {
    this.store = store;
    this.cases = cases;
    this.settings = settings;
    this.seed = seed;
    this.warnings = warnings;
  }

  /**
   * What a run measures.
   *
   * @param cases in the order of the record
   * @param endpoints the devices that take part
   * @param warnings what may spoil the numbers beside what every run looks for, one line each
   */
  public record Plan<C extends ForkCase>(
      List<C> cases, List<Endpoint> endpoints, List<String> warnings) {
    public Plan {
      cases = List.copyOf(cases);
      endpoints = List.copyOf(endpoints);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Starts a run.
   *
   * @param folder new or empty
   * @param commandLine as the user typed it
   * @param suite name of the suite
   * @param options the options that chose the cases, so that the run can be resumed
   * @throws org.allreducelab.results.store.RunFolderException if the folder cannot be used
   */
  public static <C extends ForkCase> RunSession<C> create(
      Path folder,
      List<String> commandLine,
      String suite,
      ForkSettings settings,
      long seed,
      Map<String, String> options,
      Plan<C> plan) {
    Machine machine = Host.machine();
    List<String> warnings = new ArrayList<>(Warnings.of(machine, plan.cases()));
    warnings.addAll(plan.warnings());
    Environment environment = environment(commandLine, machine, plan.endpoints(), warnings);
    SuiteInfo info =
        new SuiteInfo(
            suite,
            seed,
            settings.forks(),
            iterations(settings.warmup()),
            iterations(settings.measurement()),
            options);
    List<CaseRecord> records = plan.cases().stream().map(ForkCase::planned).toList();
    RunStore store = RunStore.create(folder, environment, info, records);
    return new RunSession<>(store, plan.cases(), settings, seed, warnings);
  }

  /**
   * Goes on with a run under its own options and seed.
   *
   * @param planOf makes the plan of the options that the run recorded
   * @throws org.allreducelab.results.store.RunFolderException if it cannot be resumed
   * @throws UsageException if its options no longer make the cases it recorded
   */
  public static <C extends ForkCase> RunSession<C> resume(
      Path folder, List<String> commandLine, Function<SuiteInfo, Plan<C>> planOf) {
    RunRecord run = new RunFolder(folder).read();
    SuiteInfo suite = run.suite();
    Plan<C> plan = planOf.apply(suite);
    List<String> recorded = run.cases().stream().map(CaseRecord::id).toList();
    if (!recorded.equals(plan.cases().stream().map(ForkCase::id).toList())) {
      throw new UsageException(
          folder
              + ": this lab makes other cases of the run's options than the lab that wrote it;"
              + " start a new run");
    }
    Machine machine = Host.machine();
    List<String> warnings = new ArrayList<>(Warnings.of(machine, plan.cases()));
    warnings.addAll(plan.warnings());
    warnings.addAll(Warnings.ofMove(run.environment().machine(), machine));
    Environment now = environment(commandLine, machine, plan.endpoints(), warnings);
    RunStore store = RunStore.resume(folder, now);
    ForkSettings settings =
        new ForkSettings(
            suite.forks(), iterations(suite.warmup()), iterations(suite.measurement()));
    return new RunSession<>(store, plan.cases(), settings, suite.seed(), warnings);
  }

  public Path folder() {
    return store.folder();
  }

  public List<C> cases() {
    return cases;
  }

  List<String> warnings() {
    return warnings;
  }

  /**
   * Runs the forks that are left.
   *
   * @param keeping what is to happen beside, before or after a fork is kept
   */
  ForkLoop.Result run(
      BooleanSupplier stopRequested, ForkLoop.Listener listener, UnaryOperator<RunLog> keeping) {
    JmhForkRunner runner = new JmhForkRunner(settings, seed, store.folder(), Clock.systemUTC());
    RunLog log = keeping.apply(new StoredRunLog(store));
    return new ForkLoop(runner, log, stopRequested, System::nanoTime, listener)
        .run(cases, ForkOrder.of(cases.size(), settings.forks(), seed));
  }

  /** Ends the run. */
  RunRecord finish() {
    return store.finish();
  }

  @Override
  public void close() {
    store.close();
  }

  private static Environment environment(
      List<String> commandLine, Machine machine, List<Endpoint> endpoints, List<String> warnings) {
    return new Environment(
        Host.lab(),
        Instant.now(),
        commandLine,
        Host.jvm(),
        machine,
        endpoints.stream()
            .map(e -> new DeviceInfo(e.id(), e.device(), e.driver(), e.identity()))
            .toList(),
        warnings);
  }

  private static IterationPlan iterations(Iterations phase) {
    return new IterationPlan(phase.count(), phase.time().toMillis());
  }

  private static Iterations iterations(IterationPlan phase) {
    return new Iterations(phase.iterations(), Duration.ofMillis(phase.iterationMs()));
  }
}
