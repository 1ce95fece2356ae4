package org.allreducelab.harness;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.harness.bench.BenchCommand;
import org.allreducelab.harness.bundle.BundleCommand;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.harness.cli.LabContext;
import org.allreducelab.harness.cli.OneLineErrors;
import org.allreducelab.harness.decode.DecodeCommand;
import org.allreducelab.harness.doctor.DoctorCommand;
import org.allreducelab.harness.explain.ExplainCommand;
import org.allreducelab.harness.simulate.SimulateCommand;
import org.allreducelab.harness.verify.VerifyCommand;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The main class of the {@code lab} command line. */
@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    versionProvider = LabVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    header = "A performance lab for all-reduce algorithms.",
    description = {
      "",
      "Every algorithm is checked byte for byte against a reference simulator.",
      ""
    },
    footer = {"", "lab COMMAND --help tells the options of a command."})
public final class Lab implements Runnable {
  @Spec private CommandSpec spec;

  /** Picocli sets the spec. */
  @SuppressWarnings("NullAway.Init")
  private Lab() {}

  /** The command line with all commands; {@code main} and tests run it. */
  public static CommandLine commandLine(LabContext context) {
    CommandLine lab = new CommandLine(new Lab());
    lab.addSubcommand(new DevicesCommand(context));
    lab.addSubcommand(new VerifyCommand(context));
    lab.addSubcommand(new ExplainCommand());
    lab.addSubcommand(new BenchCommand(context));
    lab.addSubcommand(new DecodeCommand(context));
    lab.addSubcommand(new SimulateCommand());
    lab.addSubcommand(new DoctorCommand(context));
    lab.addSubcommand(new BundleCommand(System.getenv()));
    lab.addSubcommand(new LauncherCommands.Test());
    lab.addSubcommand(new LauncherCommands.Setup());
    lab.addSubcommand("completion", new GenerateCompletion());
    lab.getSubcommands()
        .values()
        .forEach(command -> command.getCommandSpec().versionProvider(new LabVersion()));
    OneLineErrors errors = new OneLineErrors();
    return lab.setUsageHelpWidth(100)
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "which command? "
            + String.join(", ", spec.subcommands().keySet())
            + "; lab --help says more");
  }

  /** Runs one command and exits with its code ({@link ExitCode}). */
  public static void main(String[] args) {
    DriverShutdown.promise();
    CommandLine lab = commandLine(LabContext.ofThisProcess());
    lab.setOut(utf8(FileDescriptor.out));
    lab.setErr(utf8(FileDescriptor.err));
    int code = execute(lab, args);
    lab.getOut().flush();
    lab.getErr().flush();
    DriverShutdown.run();
    DriverShutdown.awaitEnd();
    DriverShutdown.exit(code);
  }

  private static int execute(CommandLine lab, String... args) {
    try {
      return lab.execute(args);
    } catch (OutOfMemoryError e) {
      lab.getErr()
          .println(
              "lab: not enough memory ("
                  + e.getMessage()
                  + "); run fewer ranks or smaller vectors, or give more: LAB_JAVA_OPTS=-Xmx8g");
      return ExitCode.FAILURE;
    }
  }

  /** UTF-8 whatever the locale: a run's tables are the same bytes everywhere. */
  private static PrintWriter utf8(FileDescriptor to) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(to), StandardCharsets.UTF_8), true);
  }
}
