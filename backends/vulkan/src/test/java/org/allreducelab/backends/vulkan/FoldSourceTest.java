package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.CacheFolder;
import org.allreducelab.backends.kernels.FoldShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FoldSourceTest {
  @TempDir Path folder;

  @Test
  void everyShapeOfEveryPresetCompiles() {
    GlslCompiler compiler = new GlslCompiler(new SpirvCache(new CacheFolder(folder)));
    for (Precision precision : Precision.presets()) {
      for (int operands = 1; operands <= 4; operands++) {
        for (boolean on : new boolean[] {false, true}) {
          FoldShape shape = FoldShape.of(precision, Integer.MAX_VALUE, operands);
          String text = FoldSource.text(shape, new KernelTraits(on, on, on, on, on, false));
          assertThat(compiler.compile(text, shape.toString())).hasSizeGreaterThan(100);
        }
      }
    }
  }

  @Test
  void executionModesAreAskedForOnlyWhereReported() {
    FoldShape shape = FoldShape.of(Precision.BF16, 8, 2);
    assertThat(FoldSource.text(shape, new KernelTraits(false, false, false, true, false, true)))
        .doesNotContain("spirv_execution_mode");
    assertThat(FoldSource.text(shape, new KernelTraits(false, true, false, false, false, false)))
        .contains("4462, 32")
        .doesNotContain("4459, 32")
        .doesNotContain("4461, 32");
  }

  @Test
  void aCachedKernelIsReadBack() {
    SpirvCache cache = new SpirvCache(new CacheFolder(folder));
    String text =
        FoldSource.text(
            FoldShape.of(Precision.F32, 8, 2),
            new KernelTraits(false, false, false, false, false, false));
    byte[] first = new GlslCompiler(cache).compile(text, "first");
    assertThat(folder.toFile().list()).hasSize(1);
    assertThat(new GlslCompiler(cache).compile(text, "second")).isEqualTo(first);
    assertThat(folder.toFile().list()).hasSize(1);
  }

  @Test
  void anUnwritableCacheIsNoError() {
    SpirvCache nowhere = new SpirvCache(new CacheFolder(Path.of("/proc/nowhere")));
    String text =
        FoldSource.text(
            FoldShape.of(Precision.BF16, 8, 1),
            new KernelTraits(false, false, false, false, false, false));
    assertThat(new GlslCompiler(nowhere).compile(text, "fold")).isNotEmpty();
  }
}
