package org.allreducelab.harness.bundle;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.harness.cli.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes an archive of the lab that runs on hosts without Java and network. */
@Command(
    name = "bundle",
    mixinStandardHelpOptions = true,
    description = "A copy of the lab that runs on a host without Java and network (Linux x86-64).")
public final class BundleCommand implements Callable<Integer> {
  private static final String SUFFIX = ".tar.xz";
  private static final String FOLDER = "allreduce-lab";

  private final Map<String, String> environment;
  @Spec private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.tar.xz",
      required = true,
      description = "The archive to make; an older one is replaced when the new one is complete.")
  private String output = "";

  @Option(
      names = "--jdk",
      paramLabel = "DIR",
      description = "JDK whose runtime goes into it (default: the newest one found).")
  private @Nullable String jdk;

  @Option(names = "--verbose", description = "Show the stack trace of an error.")
  private boolean verbose;

  /**
   * A command that looks for programs where an environment says.
   *
   * @param environment its {@code PATH}, {@code JAVA_HOME} and {@code LAB_JVM_DIR} are used
   */
  @SuppressWarnings("NullAway.Init")
  public BundleCommand(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Integer call() throws IOException {
    Path target = target();
    requireThisPlatform();
    try (WorkFolder work = WorkFolder.beside(target)) {
      Archive archive = new Archive(environment);
      Jdk chosen = jdk == null ? Jdk.newest(environment) : Jdk.at(path("--jdk", jdk));
      Path jar = BundleJar.ofThisLab();
      make(work, target, archive, chosen, jar);
      return ExitCode.OK;
    } catch (BundleException | FileSystemException e) {
      err().println("lab bundle: " + e.getMessage());
      if (verbose) {
        e.printStackTrace(err());
      }
      return ExitCode.FAILURE;
    }
  }

  private void make(WorkFolder work, Path target, Archive archive, Jdk chosen, Path jar)
      throws IOException {
    tell("linking a runtime of the JDK " + chosen.version() + " in " + chosen.home());
    Path folder = Files.createDirectory(work.resolve(FOLDER));
    JavaRuntime.link(chosen, folder.resolve("runtime"), environment.getOrDefault("PATH", ""));
    BundleJar.copy(jar, folder.resolve("lab.jar"));
    Launcher.write(chosen.version().feature(), folder.resolve("lab"));
    tell("packing (takes a minute on two cores)");
    Path packed = work.resolve("packed" + SUFFIX);
    archive.pack(work.resolve(""), FOLDER, packed);
    double megabytes = Files.size(packed) / 1e6;
    work.finish(packed);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(Locale.ROOT, "%s: %.1f MB, Java %s%n", target, megabytes, chosen.version());
    out.println(
        "The host needs Linux on x86-64 with "
            + HostNeeds.ofFolder(folder.resolve("runtime")).text()
            + ".");
    List<byte[]> natives = BundleJar.sharedLibraries(folder.resolve("lab.jar"));
    if (!natives.isEmpty()) {
      tellOfVulkan(HostNeeds.ofLibraries(natives), out);
    }
    out.println("There: tar -xJf FILE, then " + FOLDER + "/lab bench");
    out.flush();
  }

  private static void tellOfVulkan(HostNeeds natives, PrintWriter out) {
    out.println(
        "Vulkan needs "
            + natives.text()
            + ", libvulkan.so.1 (Debian/Ubuntu: libvulkan1) and a driver;");
    out.println(
        "NVIDIA's driver also needs libegl1 libglvnd0 libopengl0 libgl1 libglx0 libgles2"
            + " (Debian/Ubuntu).");
  }

  private Path target() {
    if (!output.endsWith(SUFFIX)) {
      throw new UsageException(
          "-o '" + output + "' must end in " + SUFFIX + ", the format that it is written in");
    }
    return path("-o", output);
  }

  private static Path path(String option, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new UsageException(option + " '" + text + "' is no path: " + e.getReason(), e);
    }
  }

  private static void requireThisPlatform() {
    String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!List.of("Linux amd64", "Linux x86_64").contains(platform)) {
      throw new UsageException(
          "makes bundles on Linux x86-64 only, for the same; not on " + platform);
    }
  }

  private void tell(String line) {
    err().println(line + " ...");
    err().flush();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
