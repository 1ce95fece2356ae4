package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.harness.cli.FakeBackend;
import org.junit.jupiter.api.Test;

class LabTest {
  @Test
  void helpAndVersionGoToStandardOutput() {
    CommandRun help = CommandRun.lab("--help");
    assertThat(help.code()).isZero();
    assertThat(help.out()).contains("devices", "completion");
    CommandRun version = CommandRun.lab("--version");
    assertThat(version.code()).isZero();
    assertThat(version.out()).startsWith("lab ");
    assertThat(CommandRun.lab("verify", "--version").out()).isEqualTo(version.out());
  }

  @Test
  void noCommandAndUnknownCommandsAreUsageErrorsInOneLine() {
    CommandRun none = CommandRun.lab();
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).startsWith("lab: which command?").hasLineCount(1);
    CommandRun unknown = CommandRun.lab("devcies");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("devcies", "did you mean devices").hasLineCount(1);
    CommandRun option = CommandRun.lab("devices", "--formt", "csv");
    assertThat(option.code()).isEqualTo(2);
    assertThat(option.err()).contains("--formt", "--format").hasLineCount(1);
  }

  @Test
  void completionIsAScript() {
    CommandRun completion = CommandRun.lab("completion");
    assertThat(completion.code()).isZero();
    assertThat(completion.out()).contains("#!/usr/bin/env bash", "devices");
  }

  @Test
  void devicesTellsWhyNot() {
    List<org.allreducelab.backends.Backend> backends =
        List.of(
            FakeBackend.with("cpu", "cpu=Some Processor"),
            FakeBackend.absent("opencl", "no ICD loader"));
    CommandRun text = CommandRun.labOn(backends, "devices");
    assertThat(text.code()).isZero();
    assertThat(text.err()).isEqualTo("no opencl device: no ICD loader\n");
    assertThat(text.out())
        .isEqualTo(
            """
            cpu       Some Processor
              driver    driver 1
              identity  identity of cpu
              cores     2
              timeline  yes
              export    no: no extension, "really"
            """);
    CommandRun csv = CommandRun.labOn(backends, "devices", "--format", "csv");
    assertThat(csv.out().lines().toList().get(1))
        .isEqualTo(
            "cpu,Some Processor,driver 1,identity of cpu,timeline,"
                + "\"export: no extension, \"\"really\"\"\",cores=2");
  }

  @Test
  void noDeviceAtAllIsNotSuccess() {
    CommandRun none = CommandRun.labOn(List.of(FakeBackend.absent("cpu", "why")), "devices");
    assertThat(none.code()).isEqualTo(4);
    assertThat(none.err()).contains("no cpu device: why");
  }

  @Test
  void launcherCommandsSayWhereTheyRun() {
    assertThat(CommandRun.lab("test").code()).isEqualTo(2);
    assertThat(CommandRun.lab("test").err()).contains("checkout").hasLineCount(1);
    assertThat(CommandRun.lab("setup").code()).isEqualTo(2);
    assertThat(CommandRun.lab("setup").err()).contains("checkout", "apt-get").hasLineCount(1);
  }
}
