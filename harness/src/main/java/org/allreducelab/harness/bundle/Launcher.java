package org.allreducelab.harness.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.harness.cli.Revision;

/** The shell script {@code lab} of a bundle. */
final class Launcher {
  private static final String TEMPLATE = "lab.sh";
  private static final String FLAGS = "@FLAGS@";

  /** Shell code that {@code ./lab} of a checkout reads too. */
  private static final String MESA_CACHE = "mesa-cache.sh";

  private static final String MESA_CACHE_PLACE = "@MESA_CACHE@\n";

  private Launcher() {}

  /** Writes it, with the flags that the bundle's Java knows and that keep it quiet. */
  static void write(int feature, Path file) throws IOException {
    Files.writeString(
        file,
        text(TEMPLATE)
            .replace(MESA_CACHE_PLACE, text(MESA_CACHE))
            .replace(FLAGS, String.join(" ", flags(feature))));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String text(String resource) throws IOException {
    try (InputStream in = Launcher.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static List<String> flags(int feature) {
    List<String> flags = new ArrayList<>();
    flags.add("--enable-native-access=ALL-UNNAMED");
    if (feature >= 24) {
      flags.add("--sun-misc-unsafe-memory-access=allow");
    }
    if (feature >= 25) {
      flags.add("-Dorg.lwjgl.system.memoryBackend=ffm");
    }
    Revision.ofThisLab().ifPresent(it -> flags.add("-D" + Revision.PROPERTY + "=" + it));
    return flags;
  }
}
