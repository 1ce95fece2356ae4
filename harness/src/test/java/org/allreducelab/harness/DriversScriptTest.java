package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.allreducelab.harness.FakeCheckout.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code ./lab setup} and {@code ./lab test} on a fake Debian: its apt-get notes what it is
 * asked, and a file says which packages are installed.
 */
class DriversScriptTest {
  private static final List<String> PACKAGES =
      List.of(
          "libvulkan1",
          "mesa-vulkan-drivers",
          "vulkan-validationlayers",
          "ocl-icd-libopencl1",
          "pocl-opencl-icd");
  private static final String INSTALL =
      "apt-get update && apt-get install -y --no-install-recommends ";

  @TempDir Path temp;
  private FakeCheckout checkout;
  private Path swiftshader;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = new FakeCheckout(temp);
    checkout.jdk("17.0.15");
    swiftshader = temp.resolve("cache/allreduce-lab/swiftshader");
  }

  private void debian() throws IOException {
    checkout.environment.put("DEBIAN", temp.toString());
    Files.createFile(temp.resolve("installed"));
    write("offered", "dpkg\nchromium-common\n");
    checkout.program(
        "apt-get",
        """
        until case $1 in update | install | download) true ;; *) false ;; esac; do
          shift
        done
        echo "$*" >>"$DEBIAN/calls"
        [ "$1" != "${APT_FAILS:-}" ] || { echo "E: $1 is broken"; exit 100; }
        case $1 in
          install) shift 3; for p; do echo "$p" >>"$DEBIAN/installed"; done ;;
          download) echo deb >"$2_1_amd64.deb" ;;
        esac
        """);
    checkout.program("apt-cache", "grep -x \"$2\" \"$DEBIAN/offered\"");
    checkout.program(
        "dpkg-query",
        "for last; do :; done; grep -qx \"$last\" \"$DEBIAN/installed\" && printf installed");
    checkout.program("dpkg-deb", "cat \"$DEBIAN/package.tar\"");
    user(0);
  }

  private void user(int uid) throws IOException {
    checkout.program("id", "echo " + uid);
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(temp.resolve(file), text);
  }

  /** A package that holds the driver and something else. */
  private void chromium() throws Exception {
    Path files = Files.createDirectories(temp.resolve("package/usr/lib/chromium"));
    Files.writeString(files.resolve("libvk_swiftshader.so"), "driver");
    Files.writeString(files.resolve("chromium"), "browser");
    Process tar =
        new ProcessBuilder("tar", "-cf", "package.tar", "-C", "package", ".")
            .directory(temp.toFile())
            .start();
    assertThat(tar.waitFor()).isZero();
  }

  private List<String> aptCalls() throws IOException {
    Path calls = temp.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  @Test
  void installsWhatIsMissingAfterSayingSo() throws Exception {
    debian();
    chromium();
    write("installed", "libvulkan1\nocl-icd-libopencl1\n");
    Outcome outcome = checkout.lab("setup");

    String missing = "mesa-vulkan-drivers vulkan-validationlayers pocl-opencl-icd";
    assertThat(outcome.status()).isZero();
    assertThat(outcome.err())
        .containsExactly(
            "lab setup: installing " + missing + ": " + INSTALL + missing,
            "lab setup: unpacking SwiftShader, a second Vulkan driver, into "
                + swiftshader
                + ": apt-get download chromium-common (about 30 MB), keeping libvk_swiftshader.so");
    assertThat(aptCalls())
        .containsExactly(
            "update", "install -y --no-install-recommends " + missing, "download chromium-common");
    assertThat(swiftshader.resolve("libvk_swiftshader.so")).hasContent("driver");
    assertThat(swiftshader.resolve("vk_swiftshader_icd.json"))
        .content()
        .contains("\"library_path\": \"" + swiftshader.resolve("libvk_swiftshader.so") + "\"");
    try (var files = Files.list(swiftshader)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void aSecondCallInstallsNothing() throws Exception {
    debian();
    chromium();
    checkout.lab("setup");
    int calls = aptCalls().size();
    Outcome setup = checkout.lab("setup");
    Outcome test = checkout.lab("test");

    assertThat(setup.status()).isZero();
    assertThat(setup.err()).singleElement().asString().contains("nothing to install");
    assertThat(test.err()).isEmpty();
    assertThat(aptCalls()).hasSize(calls);
  }

  @Test
  void withoutRootItTellsTheCommand() throws Exception {
    debian();
    user(1000);
    Outcome setup = checkout.lab("setup");
    Outcome test = checkout.lab("test");

    String packages = String.join(" ", PACKAGES);
    String line =
        "lab setup: missing: "
            + packages
            + "; needs root: sudo sh -c '"
            + INSTALL
            + packages
            + "'; then ./lab setup again";
    assertThat(setup.status()).isEqualTo(1);
    assertThat(setup.err()).containsExactly(line);
    assertThat(test.status()).isZero();
    assertThat(test.err()).containsExactly(line);
    assertThat(checkout.mavenCalls()).hasSize(1);
    assertThat(aptCalls()).isEmpty();
  }

  @Test
  void swiftShaderAloneNeedsNoRoot() throws Exception {
    debian();
    chromium();
    user(1000);
    write("installed", String.join("\n", PACKAGES) + "\n");

    assertThat(checkout.lab("setup").status()).isZero();
    assertThat(aptCalls()).containsExactly("download chromium-common");
    assertThat(swiftshader.resolve("vk_swiftshader_icd.json")).exists();
  }

  @Test
  void labNoInstallOnlySaysWhatIsMissing() throws Exception {
    debian();
    checkout.environment.put("LAB_NO_INSTALL", "1");
    Outcome outcome = checkout.lab("setup");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.err())
        .containsExactly(
            "lab setup: LAB_NO_INSTALL=1, so not installed: "
                + INSTALL
                + String.join(" ", PACKAGES),
            "lab setup: LAB_NO_INSTALL=1, so not unpacked: SwiftShader from chromium-common");
    assertThat(aptCalls()).isEmpty();
    assertThat(swiftshader).doesNotExist();
  }

  @Test
  void testInstallsFirst() throws Exception {
    debian();
    chromium();
    Outcome outcome = checkout.lab("test");

    assertThat(outcome.err()).hasSize(2).first().asString().startsWith("lab setup: installing ");
    assertThat(Files.readAllLines(temp.resolve("installed"))).isEqualTo(PACKAGES);
    assertThat(checkout.mavenCalls()).hasSize(1);
  }

  @Test
  void noChromiumPackageIsNoFailure() throws Exception {
    debian();
    write("offered", "dpkg\n");
    write("installed", String.join("\n", PACKAGES) + "\n");
    Outcome outcome = checkout.lab("setup");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.err())
        .singleElement()
        .asString()
        .contains("no package chromium-common", "other drivers");
    assertThat(aptCalls()).isEmpty();
  }

  @Test
  void aFailedInstallIsOneLineWithAptsReason() throws Exception {
    debian();
    checkout.environment.put("APT_FAILS", "install");
    Outcome outcome = checkout.lab("setup");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("lab setup: apt-get could not install libvulkan1 ")
        .endsWith(": E: install is broken");
  }

  @Test
  void aPackageWithoutTheDriverLeavesNothingBehind() throws Exception {
    debian();
    chromium();
    Files.delete(temp.resolve("package/usr/lib/chromium/libvk_swiftshader.so"));
    Files.delete(temp.resolve("package.tar"));
    assertThat(
            new ProcessBuilder("tar", "-cf", "package.tar", "-C", "package", ".")
                .directory(temp.toFile())
                .start()
                .waitFor())
        .isZero();
    Outcome outcome = checkout.lab("setup");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).last().asString().contains("found no libvk_swiftshader.so");
    assertThat(swiftshader).isEmptyDirectory();
  }

  @Test
  void elsewhereItSaysWhatToInstallByHand() throws IOException {
    Outcome setup = checkout.lab("setup");
    Outcome test = checkout.lab("test");

    assertThat(setup.status()).isEqualTo(1);
    assertThat(setup.err()).singleElement().asString().contains("Debian and Ubuntu only");
    assertThat(test.status()).isZero();
    assertThat(test.err()).isEmpty();
  }

  @Test
  void takesNoArguments() throws IOException {
    assertThat(checkout.lab("setup", "everything").status()).isEqualTo(2);
  }
}
