package org.allreducelab.harness;

import java.util.List;
import java.util.concurrent.Callable;
import org.allreducelab.harness.cli.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Commands that the launcher script carries out in a checkout, since they build or install. They
 * reach the jar only where there is no checkout.
 */
final class LauncherCommands {
  private LauncherCommands() {}

  @Command(
      name = "test",
      mixinStandardHelpOptions = true,
      description = "Run the whole test suite (in a checkout).")
  static final class Test implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "ARG", description = "Passed on to Maven.")
    private List<String> arguments = List.of();

    @SuppressWarnings("NullAway.Init")
    Test() {}

    @Override
    public Integer call() {
      String line = String.join(" ", arguments);
      spec.commandLine()
          .getErr()
          .println(
              "lab test: needs the sources; run ./lab test"
                  + (line.isEmpty() ? "" : " " + line)
                  + " in a checkout of the repository");
      return ExitCode.USAGE;
    }
  }

  @Command(
      name = "setup",
      mixinStandardHelpOptions = true,
      description = "Install software drivers for machines without a GPU (in a checkout).")
  static final class Setup implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    Setup() {}

    @Override
    public Integer call() {
      spec.commandLine()
          .getErr()
          .println(
              "lab setup: installs in a checkout only; here (Debian/Ubuntu, root): apt-get install"
                  + " libvulkan1 mesa-vulkan-drivers ocl-icd-libopencl1 pocl-opencl-icd");
      return ExitCode.USAGE;
    }
  }
}
