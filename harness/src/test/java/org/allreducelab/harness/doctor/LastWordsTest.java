package org.allreducelab.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LastWordsTest {
  @Test
  void aCrashedJvmTellsSignalAndFrame() {
    LastWords words = new LastWords();
    """
        MESA: error: something
        #
        # A fatal error has been detected by the Java Runtime Environment:
        #
        #  SIGSEGV (0xb) at pc=0x00007ff7b10d6839, pid=17296, tid=19108
        #
        # JRE version: OpenJDK Runtime Environment (17.0.15+6)
        # Java VM: OpenJDK 64-Bit Server VM (17.0.15+6, mixed mode)
        # Problematic frame:
        # C  [libvulkan_lvp.so+0xd6839]
        #
        """
        .lines()
        .forEach(words::heard);
    assertThat(words.code(134)).isEqualTo("SIGSEGV");
    assertThat(words.detail()).isEqualTo("in [libvulkan_lvp.so+0xd6839]");
  }

  @ParameterizedTest
  @CsvSource({"137,SIGKILL", "134,SIGABRT", "135,SIGBUS", "162,signal 34", "1,exit status 1"})
  void otherwiseTheExitStatusTells(int status, String code) {
    assertThat(new LastWords().code(status)).isEqualTo(code);
  }

  @Test
  void theLastLineOfADriverIsKept() {
    LastWords words = new LastWords();
    words.heard("first");
    words.heard("  assertion failed  ");
    words.heard("");
    assertThat(words.detail()).isEqualTo("assertion failed");
  }
}
