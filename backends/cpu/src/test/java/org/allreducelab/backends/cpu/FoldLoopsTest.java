package org.allreducelab.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which loops a JVM gets: asked in JVMs of their own, since this one has the module. */
class FoldLoopsTest {
  /** Prints the choice. */
  static final class Ask {
    public static void main(String[] args) {
      System.out.print(FoldLoops.best().value().name() + "; " + FoldLoops.best().reason());
    }
  }

  @Test
  void withoutTheModuleTheLoopsAreScalarAndSayWhy() throws IOException, InterruptedException {
    assertThat(ask())
        .isEqualTo(
            "scalar; jdk.incubator.vector not added"
                + " (run java with --add-modules jdk.incubator.vector)");
  }

  @Test
  void withTheModuleTheyAreVector() throws IOException, InterruptedException {
    assertThat(ask("--add-modules", "jdk.incubator.vector"))
        .matches("vector-\\d+; jdk.incubator.vector added");
  }

  @Test
  void vectorsThatAreTooShortAreRefused() throws IOException, InterruptedException {
    assertThat(ask("--add-modules", "jdk.incubator.vector", "-XX:MaxVectorSize=8"))
        .isEqualTo("scalar; the vector loops do not run here: vectors of 64 bits, 128 needed");
  }

  private static String ask(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Ask.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
