package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.opencl.CL10.clReleaseKernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.CacheFolder;
import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldVariant;
import org.allreducelab.backends.kernels.OperandKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.linux.DynamicLinkLoader;

/** PoCL replaces most signal handlers of the process, among them those that the JVM needs. */
@Tag("opencl")
@RequiresPocl
final class SignalHandlersTest {
  private static final int SIGUSR1 = 10;
  private static final int SIGSEGV = 11;
  private static final long IGNORED = 1;
  private static final long SIGNAL =
      DynamicLinkLoader.dlsym(
          DynamicLinkLoader.ndlopen(MemoryUtil.NULL, DynamicLinkLoader.RTLD_LAZY), "signal");

  /** The file from which the code at an address comes. */
  private static String fileOf(long address) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      String[] words = line.trim().split("\\s+", -1);
      String[] range = words[0].split("-", -1);
      if (Long.compareUnsigned(address, Long.parseUnsignedLong(range[0], 16)) >= 0
          && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0) {
        return words.length > 5 ? words[5] : "no file";
      }
    }
    return "nowhere";
  }

  @ParameterizedTest
  @CsvSource({"SIGILL, 4", "SIGBUS, 7", "SIGFPE, 8", "SIGSEGV, 11", "SIGTERM, 15"})
  void theJvmKeepsItsHandlersWhereADriverWantsThem(String name, int number, @TempDir Path folder)
      throws IOException {
    FoldVariant sum =
        new FoldVariant(
            FoldShape.of(Precision.BF16, 8, 2),
            Collections.nCopies(2, OperandKind.ELEMENT),
            false,
            false);
    ProgramCache cache = new ProgramCache(new CacheFolder(folder));
    KernelTraits traits = new KernelTraits(false, true);
    Device pocl = Devices.named(PoclCondition.devices().get(0));
    try (DeviceContext context = new DeviceContext(pocl);
        FoldPrograms programs = new FoldPrograms(context, traits, cache)) {
      clReleaseKernel(programs.kernel(sum, 4));
    }
    assertThat(fileOf(SignalHandlers.handler(number))).as(name).endsWith("libjvm.so");
  }

  /** PoCL's handler skips the instruction: then 7 / 0 is 7. */
  @Test
  void divisionByZeroIsStillAnError() {
    assertThat(PoclCondition.devices()).isNotEmpty();
    int zero = Integer.parseInt("0");
    assertThatThrownBy(() -> Integer.toString(7 / zero)).isInstanceOf(ArithmeticException.class);
  }

  private static void ignore(int signal) {
    set(signal, IGNORED);
  }

  private static void set(int signal, long handler) {
    JNI.invokePP(signal, handler, SIGNAL);
  }

  /** A thread may begin to listen to a signal while another one calls a driver. */
  @Test
  void aHandlerOfTheJvmStays() {
    long before = SignalHandlers.handler(SIGUSR1);
    long ofTheJvm = SignalHandlers.handler(SIGSEGV);
    try {
      SignalHandlers.keptDuring(
          () -> {
            set(SIGUSR1, ofTheJvm);
            return "";
          });
      assertThat(SignalHandlers.handler(SIGUSR1)).isEqualTo(ofTheJvm);
    } finally {
      set(SIGUSR1, before);
    }
  }

  @Test
  void aHandlerThatACallSetIsPutBackWhetherItSucceedsOrNot() {
    long before = SignalHandlers.handler(SIGUSR1);
    assertThat(before).isNotEqualTo(IGNORED);
    String result =
        SignalHandlers.keptDuring(
            () -> {
              ignore(SIGUSR1);
              assertThat(SignalHandlers.handler(SIGUSR1)).isEqualTo(IGNORED);
              return "done";
            });
    assertThat(result).isEqualTo("done");
    assertThat(SignalHandlers.handler(SIGUSR1)).isEqualTo(before);
    assertThatThrownBy(
            () ->
                SignalHandlers.keptDuring(
                    () -> {
                      ignore(SIGUSR1);
                      throw new IllegalStateException("refused");
                    }))
        .hasMessage("refused");
    assertThat(SignalHandlers.handler(SIGUSR1)).isEqualTo(before);
  }
}
