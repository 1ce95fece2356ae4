package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.opencl.CL10.CL_OUT_OF_HOST_MEMORY;
import static org.lwjgl.opencl.CL10.clReleaseKernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.CacheFolder;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldVariant;
import org.allreducelab.backends.kernels.OperandKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("opencl")
@RequiresPocl
final class FoldProgramsTest {
  private static final FoldVariant SUM =
      new FoldVariant(
          FoldShape.of(Precision.BF16, 8, 2),
          Collections.nCopies(2, OperandKind.ELEMENT),
          false,
          false);

  @TempDir Path folder;
  private final DeviceContext context =
      new DeviceContext(Devices.named(PoclCondition.devices().get(0)));

  @AfterEach
  void close() {
    context.close();
  }

  private void compile() {
    compile(context);
  }

  private void compile(DeviceContext context) {
    ProgramCache cache = new ProgramCache(new CacheFolder(folder));
    try (FoldPrograms programs = new FoldPrograms(context, new KernelTraits(false, true), cache)) {
      clReleaseKernel(programs.kernel(SUM, 4));
    }
  }

  /** Of 256 MiB of bf16 each group's first step is one of 65536. */
  @ParameterizedTest
  @CsvSource({
    "65536, 1, 65536",
    "65536, 2, 65536",
    "65536, 3, 65536",
    "65536, 4, 32768",
    "65536, 8, 16384",
    "4000, 8, 2112",
    "2000, 8, 2000",
    "5, 8, 5",
    "1, 2, 1",
  })
  void withManyOperandsAnItemTakesSeveralStepsWhereGroupsAreLeftToFillTheDevice(
      int worth, int operands, int groups) {
    assertThat(FoldPrograms.groups(worth, operands, 16 * 132)).isEqualTo(groups);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2, 1",
    "2, 2, 2",
    "3, 4, 3",
    "5, 8, 5",
    "9, 16, 9",
    "64, 64, 64",
    "66, 66, 66",
    "126, 126, 126",
    "127, 127, 127",
  })
  void aProcessorHasFewKernelsAndAGpuNoArgumentTooMany(int buffers, int processor, int gpu) {
    assertThat(FoldPrograms.arguments(buffers, true, 126)).isEqualTo(processor);
    assertThat(FoldPrograms.arguments(buffers, false, 126)).isEqualTo(gpu);
  }

  private Path only() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }

  @Test
  void aCompiledProgramIsKeptAndReadBack() throws IOException {
    compile();
    Path kept = only();
    Files.setLastModifiedTime(kept, FileTime.fromMillis(0));
    compile();
    assertThat(Files.getLastModifiedTime(only())).isEqualTo(FileTime.fromMillis(0));
  }

  @Test
  void aBrokenBinaryIsCompiledAgain() throws IOException {
    compile();
    Files.write(only(), new byte[] {1, 2, 3});
    compile();
    assertThat(Files.size(only())).isGreaterThan(100);
  }

  private void compileRefusing(String call, int code) {
    FaultPlan refusal = FaultPlan.refuse(call, 0, code);
    try (DeviceContext faulty = new DeviceContext(context.device(), CallFaults.of(refusal))) {
      compile(faulty);
    }
  }

  @Test
  void aRefusedCompilationIsAnErrorAndKeepsNothing() throws IOException {
    for (String call : List.of("clCreateProgramWithSource", "clBuildProgram")) {
      assertThatThrownBy(() -> compileRefusing(call, CL_OUT_OF_HOST_MEMORY))
          .isInstanceOf(DriverException.class)
          .hasMessageStartingWith(call + " gave CL_OUT_OF_HOST_MEMORY on " + context.label());
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void noOptionRelaxesTheArithmetic() {
    assertThat(FoldPrograms.OPTIONS).isEqualTo("-cl-std=CL1.2");
    assertThat(FoldSource.text(SUM, new KernelTraits(false, true), 4))
        .contains("#pragma OPENCL FP_CONTRACT OFF");
  }
}
