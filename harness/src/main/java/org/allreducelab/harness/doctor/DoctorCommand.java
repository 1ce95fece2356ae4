package org.allreducelab.harness.doctor;

import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.probe.PairProbe;
import org.allreducelab.harness.cli.DeviceGroup;
import org.allreducelab.harness.cli.DurationText;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.LabContext;
import org.allreducelab.harness.cli.OutputOptions;
import org.allreducelab.harness.cli.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tries out what drivers claim of sharing memory and signals between devices. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Peer-to-peer and sync probes per directed pair, in child processes.",
      "",
      "For each pair of devices, each kind of shared memory and each kind of synchronisation that the"
          + " drivers claim: moves 4 B to 64 MiB at several offsets, also twice through one place, checks"
          + " every byte, measures bandwidth and the latency of a hop. Exit code 1 if something claimed does not work.",
      ""
    })
public final class DoctorCommand implements Callable<Integer> {
  private final LabContext context;
  private final Function<Duration, ProbeRunner> runners;
  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;

  @Option(
      names = "--devices",
      paramLabel = "GROUP",
      description =
          "Devices whose pairs are tried: vulkan:0, vulkan:0,vulkan:1, a device name, or all"
              + " (default: all). Repeat it for several groups.")
  private List<String> devices = List.of();

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      description = "The longest that one step of a probe may take (default: 20s).")
  private String deadline = "20s";

  @Option(names = "--fresh", description = "Try again what is known from before.")
  private boolean fresh;

  public DoctorCommand(LabContext context) {
    this(context, deadline -> new ChildProbe(ChildJvm.ofThisProcess(), deadline));
  }

  /** Picocli sets the fields. */
  @SuppressWarnings("NullAway.Init")
  DoctorCommand(LabContext context, Function<Duration, ProbeRunner> runners) {
    this.context = context;
    this.runners = runners;
  }

  @Override
  public Integer call() {
    long startNs = System.nanoTime();
    ProbeRunner runner = runners.apply(DurationText.parse(deadline));
    Inventory inventory = context.inventory().get();
    List<Pair> pairs = Pair.of(groups(inventory));
    Report report = new Report(examine(pairs, runner));
    print(report, startNs);
    return report.faults() == 0 ? ExitCode.OK : ExitCode.FAILURE;
  }

  private List<DeviceGroup> groups(Inventory inventory) {
    List<DeviceGroup> groups = new ArrayList<>();
    if (!devices.isEmpty() && !devices.equals(List.of("all"))) {
      devices.forEach(text -> groups.addAll(DeviceGroup.parse(inventory, text)));
      return groups;
    }
    for (Backend backend : inventory.backends()) {
      if (!backend.endpoints().isEmpty()) {
        groups.add(new DeviceGroup(backend, backend.endpoints(), 0));
      }
    }
    if (groups.isEmpty()) {
      throw new UnavailableException("no device at all; lab devices says why");
    }
    return groups;
  }

  private List<PairReport> examine(List<Pair> pairs, ProbeRunner runner) {
    PrintWriter err = spec.commandLine().getErr();
    Progress progress = new Progress(err, context.stderrIsTerminal());
    Doctor doctor =
        new Doctor(
            runner,
            context.probes(),
            fresh,
            Clock.systemUTC(),
            what -> progress.update("trying " + what));
    List<PairReport> reports = new ArrayList<>();
    Set<String> nothingToTry = new LinkedHashSet<>();
    for (Pair pair : pairs) {
      Optional<PairProbe> probe = pair.backend().pairProbe();
      if (probe.isPresent()) {
        reports.add(doctor.examine(pair, probe.get()));
      } else {
        nothingToTry.add(pair.backend().name());
      }
    }
    progress.clear();
    nothingToTry.forEach(
        name -> err.println(name + ": nothing to try, its ranks share this process' memory"));
    err.flush();
    return reports;
  }

  private void print(Report report, long startNs) {
    PrintWriter out = spec.commandLine().getOut();
    boolean forPeople = output.format() == Format.TEXT || output.format() == Format.MARKDOWN;
    if (!forPeople) {
      out.print(report.rows().render(output.format()));
    } else if (!report.matrix().isEmpty()) {
      out.print(report.matrix().render(output.format()));
      out.println();
      String bullet = output.format() == Format.MARKDOWN ? "- " : "";
      report.notes().forEach(note -> out.println(bullet + note));
      out.println();
      out.println(
          report.summary()
              + String.format(Locale.ROOT, " (%.1f s)", (System.nanoTime() - startNs) / 1e9));
    }
    out.flush();
  }
}
