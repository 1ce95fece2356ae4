package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForkJvmTest {
  @Test
  void aSmallCaseHasTheHeapThatAllHave() {
    assertThat(ForkJvm.flags(Cases.on("cpu", 2, "ring", 4096, false, 1, 64)))
        .contains("-Xms256m", "-Xmx256m");
  }

  /** 64 × 127 combines, 256 times: the program alone is larger than the heap that all have. */
  @Test
  void theHeapHoldsTheProgramOfALargeGraph() {
    long program = (64L * 127 * 256 * 512) >> 20;

    assertThat(ForkJvm.flags(Cases.on("cpu", 64, "ring", 4096, false, 1, 256)))
        .contains("-Xmx" + (256 + 4 + program) + "m");
  }
}
