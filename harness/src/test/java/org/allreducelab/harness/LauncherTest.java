package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.allreducelab.harness.FakeCheckout.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@code ./lab} calls Java: arguments, process and environment. */
class LauncherTest {
  @TempDir Path temp;
  private FakeCheckout checkout;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = new FakeCheckout(temp);
    checkout.jdk("17.0.15");
  }

  @Test
  void passesArgumentsAsTheyAre() throws IOException {
    checkout.environment.put("LAB_JAVA_OPTS", "-Xmx1g -Dstar=*");

    assertThat(checkout.lab("bench", "--out", "a  b", "", "*", "$HOME", "\"q\"").out())
        .containsSubsequence("-Xmx1g", "-Dstar=*", "-jar")
        .endsWith("bench", "--out", "a  b", "", "*", "$HOME", "\"q\"");
  }

  @Test
  void worksThroughSymbolicLinksFromAnyDirectory() throws IOException {
    Path hop = Files.createSymbolicLink(temp.resolve("hop"), Path.of("check out/lab"));
    Path link = Files.createSymbolicLink(temp.resolve("link"), hop);

    Outcome outcome = FakeCheckout.finish(checkout.start(link, Path.of("/"), "devices"));

    assertThat(outcome.out()).contains("-Dallreducelab.home=" + checkout.root);
    assertThat(checkout.mavenCalls()).containsExactly(FakeCheckout.BUILD);
  }

  @Test
  void becomesTheJavaProcessSoThatSignalsReachItAndItsStatusIsKept() throws IOException {
    checkout.environment.put("FAKE_JAVA", "echo $$; exit 4");
    Outcome outcome = checkout.lab("bench");

    assertThat(outcome.out()).containsExactly(Long.toString(outcome.pid()));
    assertThat(outcome.status()).isEqualTo(4);
  }

  @Test
  void showsAnUnpackedSwiftShaderToTheVulkanLoader() throws IOException {
    checkout.environment.put("FAKE_JAVA", "echo \"${VK_ADD_DRIVER_FILES-unset}\"");
    checkout.environment.put("FAKE_MAVEN", "echo \"${VK_ADD_DRIVER_FILES-unset}\"");
    assertThat(checkout.lab("devices").out()).first().isEqualTo("unset");
    Path icd = temp.resolve("cache/allreduce-lab/swiftshader/vk_swiftshader_icd.json");
    FakeCheckout.write(icd, "{}");

    assertThat(checkout.lab("devices").out()).first().isEqualTo(icd.toString());
    assertThat(checkout.lab("test").out()).first().isEqualTo(icd.toString());
  }

  /** A driver that maps a cache file on a full disk takes the process with it. */
  @ParameterizedTest
  @CsvSource({"4095, true", "4096, unset"})
  void switchesMesasCacheOffWhereItsDiskIsFull(int freeKib, String disabled) throws IOException {
    Files.createDirectories(temp.resolve("cache"));
    checkout.program("df", "printf 'head\\n/dev/x 9 9 %d 9%%%% /\\n'".formatted(freeKib));
    checkout.environment.put("FAKE_JAVA", "echo \"${MESA_SHADER_CACHE_DISABLE-unset}\"");

    assertThat(checkout.lab("devices").out()).first().isEqualTo(disabled);
  }

  @ParameterizedTest
  @ValueSource(strings = {"VK_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES"})
  void leavesTheUsersChoiceOfVulkanDriversAlone(String variable) throws IOException {
    FakeCheckout.write(
        temp.resolve("cache/allreduce-lab/swiftshader/vk_swiftshader_icd.json"), "{}");
    checkout.environment.put(variable, "");
    checkout.environment.put("FAKE_JAVA", "echo \"${VK_ADD_DRIVER_FILES:-none}\"");

    assertThat(checkout.lab("devices").out()).first().isEqualTo("none");
  }
}
