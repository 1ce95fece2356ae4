package org.allreducelab.harness.bundle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Packs a folder as a {@code .tar.xz} with the programs of this machine. */
final class Archive {
  private static final String REMEDY = "install it (Debian/Ubuntu: apt-get install tar xz-utils)";

  private final Program tar;
  private final Program xz;

  /**
   * Finds the programs.
   *
   * @throws org.allreducelab.harness.cli.UsageException if one is missing
   */
  Archive(Map<String, String> environment) {
    String path = environment.getOrDefault("PATH", "");
    tar = Program.require("tar", path, REMEDY);
    xz = Program.require("xz", path, REMEDY);
  }

  /**
   * Packs.
   *
   * @param parent of the folder; the archive holds {@code name} and what is below
   */
  void pack(Path parent, String name, Path file) throws IOException {
    // Owned by nobody in particular and readable to all, whoever packs and whatever the umask.
    ProcessBuilder packing =
        new ProcessBuilder(
                tar.command(
                    List.of(
                        "-C",
                        parent.toString(),
                        "--sort=name",
                        "--owner=0",
                        "--group=0",
                        "--numeric-owner",
                        "--mode=u+w,a+rX",
                        "-cf",
                        "-",
                        name)))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    ProcessBuilder compressing =
        new ProcessBuilder(xz.command(List.of("-T0", "-6", "--stdout")))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(file.toFile());
    for (Process process : ProcessBuilder.startPipeline(List.of(packing, compressing))) {
      int status = Program.await(process);
      if (status != 0) {
        throw new BundleException(
            "tar or xz failed with status " + status + "; is there room for " + file + "?");
      }
    }
  }
}
