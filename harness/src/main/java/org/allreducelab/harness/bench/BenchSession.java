package org.allreducelab.harness.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.harness.cli.LabContext;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.DeviceInfo;
import org.allreducelab.results.Environment;
import org.allreducelab.results.IterationPlan;
import org.allreducelab.results.Machine;
import org.allreducelab.results.ResultKey;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.SuiteInfo;
import org.allreducelab.results.store.RunFolder;
import org.allreducelab.results.store.RunStore;

/** One session of a run: a new run, or one that goes on. */
final class BenchSession implements AutoCloseable {
  private final RunStore store;
  private final List<BenchCase> cases;
  private final ForkSettings settings;
  private final long seed;
  private final List<String> warnings;

  private BenchSession(
      RunStore store,
      List<BenchCase> cases,
      ForkSettings settings,
      long seed,
      List<String> warnings) {
    this.store = store;
    this.cases = cases;
    this.settings = settings;
    this.seed = seed;
    this.warnings = warnings;
  }

  /**
   * Starts a run.
   *
   * @param folder new or empty
   * @param options the options that chose the cases, so that the run can be resumed
   * @throws org.allreducelab.results.store.RunFolderException if the folder cannot be used
   */
  static BenchSession create(
      Path folder,
      List<String> commandLine,
      String suite,
      ForkSettings settings,
      long seed,
      Map<String, String> options,
      BenchPlan plan) {
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
    List<CaseRecord> records = plan.cases().stream().map(BenchSession::planned).toList();
    RunStore store = RunStore.create(folder, environment, info, records);
    return new BenchSession(store, plan.cases(), settings, seed, warnings);
  }

  /**
   * Goes on with a run under its own options and seed.
   *
   * @throws org.allreducelab.results.store.RunFolderException if it cannot be resumed
   * @throws UsageException if its options no longer make the cases it recorded
   */
  static BenchSession resume(
      Path folder, List<String> commandLine, LabContext context, PrintWriter err) {
    RunRecord run = new RunFolder(folder).read();
    SuiteInfo suite = run.suite();
    BenchPlan plan =
        BenchPlan.of(
            OptionValues.recorded(suite.options()),
            context.inventory().get(),
            context.probes(),
            err);
    List<String> recorded = run.cases().stream().map(CaseRecord::id).toList();
    if (!recorded.equals(plan.cases().stream().map(BenchCase::id).toList())) {
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
    return new BenchSession(store, plan.cases(), settings, suite.seed(), warnings);
  }

  Path folder() {
    return store.folder();
  }

  List<String> warnings() {
    return warnings;
  }

  /** Runs the forks that are left. */
  ForkLoop.Result run(BooleanSupplier stopRequested, ForkLoop.Listener listener) {
    JmhForkRunner runner = new JmhForkRunner(settings, seed, store.folder(), Clock.systemUTC());
    return new ForkLoop(runner, new StoredRunLog(store), stopRequested, System::nanoTime, listener)
        .run(cases, ForkOrder.of(cases.size(), settings.forks(), seed));
  }

  /** Ends the run, and reads back what it holds. */
  List<BenchRow> finish() {
    RunRecord run = store.finish();
    return BenchRow.of(cases, run, new RunFolder(store.folder()).latencies());
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

  private static CaseRecord planned(BenchCase c) {
    ResultKey key =
        ResultKey.of(c.algorithm(), c.ranks(), c.count(), c.precision().name())
            .withGranule(c.granule());
    String benchmark =
        AllReduceBenchmark.class.getSimpleName() + (c.inPlace() ? ".inPlace" : ".outOfPlace");
    CaseRecord planned =
        CaseRecord.planned(c.id(), benchmark, c.devices(), key, c.bytes(), c.inPlace(), false);
    return c.role() == Role.CONTENDER ? planned : planned.asBaseline();
  }

  private static IterationPlan iterations(Iterations phase) {
    return new IterationPlan(phase.count(), phase.time().toMillis());
  }

  private static Iterations iterations(IterationPlan phase) {
    return new Iterations(phase.iterations(), Duration.ofMillis(phase.iterationMs()));
  }
}
