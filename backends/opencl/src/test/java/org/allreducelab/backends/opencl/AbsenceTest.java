package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without a loader or a driver there is one line with what to install. In JVMs of their own. */
final class AbsenceTest {
  @TempDir Path empty;

  /** What the children run. */
  static final class Main {
    private Main() {}

    /** Prints the endpoints' number and the absence. */
    public static void main(String[] args) {
      OpenClBackend backend = new OpenClBackend();
      System.out.println(backend.endpoints().size() + " " + backend.absence());
    }
  }

  private List<String> run(String... options) throws IOException {
    List<String> command = new java.util.ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("OCL_ICD_VENDORS", empty.toString());
    Process child = builder.start();
    return new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }

  @Test
  void noLoader() throws IOException {
    assertThat(run("-Dorg.lwjgl.opencl.libname=libNoSuchLoader.so"))
        .singleElement()
        .asString()
        .startsWith("0 no OpenCL loader (libNoSuchLoader.so); ")
        .contains("apt-get install ocl-icd-libopencl1", "pocl-opencl-icd");
  }

  /** On a machine without the loader it is the same line, for its real names. */
  @Test
  void noDriver() throws IOException {
    assertThat(run())
        .singleElement()
        .asString()
        .startsWith("0 ")
        .containsAnyOf("finds no driver", "no OpenCL loader")
        .contains("pocl-opencl-icd");
  }
}
