package org.allreducelab.harness.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Flags by version of Java: the wrong ones stop jlink, or the bundle's Java. */
class FlagsTest {
  @Test
  void jlinkRenamedItsCompressionLevels() {
    assertThat(JavaRuntime.options(17, true)).endsWith("--compress", "0");
    assertThat(JavaRuntime.options(21, true)).endsWith("--compress", "zip-0");
  }

  @Test
  void withoutObjcopyOnlyClassesAreStripped() {
    assertThat(JavaRuntime.options(17, true)).contains("--strip-debug");
    assertThat(JavaRuntime.options(17, false))
        .contains("--strip-java-debug-attributes")
        .doesNotContain("--strip-debug");
  }

  @Test
  void theLauncherPassesWhatItsJavaKnows() {
    assertThat(Launcher.flags(17)).containsExactly("--enable-native-access=ALL-UNNAMED");
    assertThat(Launcher.flags(24)).contains("--sun-misc-unsafe-memory-access=allow");
    assertThat(Launcher.flags(25)).contains("-Dorg.lwjgl.system.memoryBackend=ffm");
  }
}
