package org.allreducelab.harness;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Capability;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.LabContext;
import org.allreducelab.harness.cli.OutputOptions;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists what ranks can run on here, what each device can do, and why not where it cannot. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    description = "What is here, what each device can do, and why not.")
final class DevicesCommand implements Callable<Integer> {
  private final LabContext context;
  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;

  @SuppressWarnings("NullAway.Init")
  DevicesCommand(LabContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    Inventory inventory = context.inventory().get();
    PrintWriter err = spec.commandLine().getErr();
    for (Backend backend : inventory.backends()) {
      if (backend.endpoints().isEmpty()) {
        err.println("no " + backend.name() + " device: " + backend.absence());
      }
    }
    if (inventory.endpoints().isEmpty()) {
      throw new UnavailableException("no device at all");
    }
    if (output.format() == Format.TEXT) {
      inventory.endpoints().forEach(e -> output.print(block(e)));
    } else {
      output.print(table(inventory));
    }
    return ExitCode.OK;
  }

  private static String block(Endpoint endpoint) {
    Table facts =
        new Table(Column.text("fact", endpoint.id()), Column.text("value", endpoint.device()));
    facts.row("driver", endpoint.driver());
    facts.row("identity", endpoint.identity());
    endpoint.properties().forEach(facts::row);
    for (Capability capability : endpoint.capabilities()) {
      facts.row(capability.name(), (capability.present() ? "yes" : "no") + detail(capability));
    }
    return facts.render(Format.TEXT).replaceAll("(?m)^(?!\\A)", "  ").stripTrailing() + "\n";
  }

  private static String detail(Capability capability) {
    return capability.detail().isEmpty() ? "" : ": " + capability.detail();
  }

  private static Table table(Inventory inventory) {
    Table table =
        new Table(
            Column.text("id", "id"),
            Column.text("device", "device"),
            Column.text("driver", "driver"),
            Column.text("identity", "identity"),
            Column.text("can", "can"),
            Column.text("cannot", "cannot"),
            Column.text("properties", "properties"));
    for (Endpoint e : inventory.endpoints()) {
      table.row(
          e.id(),
          e.device(),
          e.driver(),
          e.identity(),
          capabilities(e, true),
          capabilities(e, false),
          e.properties().entrySet().stream()
              .map(p -> p.getKey() + "=" + p.getValue())
              .collect(Collectors.joining("; ")));
    }
    return table;
  }

  private static String capabilities(Endpoint endpoint, boolean present) {
    return endpoint.capabilities().stream()
        .filter(c -> c.present() == present)
        .map(c -> c.name() + (present ? "" : detail(c)))
        .collect(Collectors.joining("; "));
  }
}
