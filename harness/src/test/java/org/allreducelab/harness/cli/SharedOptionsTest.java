package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.UnavailableException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SharedOptionsTest {
  private static SharedOptions parsed(String... args) {
    SharedOptions options = new SharedOptions();
    new CommandLine(options).parseArgs(args);
    return options;
  }

  /** But the transport, of which a reproduction has its own. */
  @Test
  void forcedOptionsAreThoseToTypeAgain() {
    SharedOptions options =
        parsed(
            "--queue-family=2",
            "--queues=3",
            "--memory=dma-buf",
            "--transport=direct",
            "--sync=proxy",
            "--placement=logical",
            "--deadline=5s");

    assertThat(options.forcedOptions())
        .isEqualTo(
            " --placement logical --sync proxy --memory dma-buf --queue-family 2 --queues 3 --deadline 5s");
    assertThat(parsed().forcedOptions()).isEmpty();
  }

  @Test
  void whatIsForcedReachesTheGroup() {
    FakeBackend backend = FakeBackend.with("fake", "fake:0=Fake");
    DeviceGroup group = new DeviceGroup(backend, backend.endpoints(), 0);

    GroupSpec spec =
        parsed("--memory=opaque-fd", "--queue-family=1", "--queues=3")
            .groupSpec(group, 2, Precision.BF16, 0)
            .build();

    assertThat(spec.memory()).isEqualTo(SharedMemory.OPAQUE_FD);
    assertThat(spec.queueFamily()).isEqualTo(1);
    assertThat(spec.queues()).isEqualTo(3);
  }

  @Test
  void withoutDevicesItIsToldWhatElseIsHere() {
    Inventory inventory =
        Inventory.of(
            List.of(
                FakeBackend.with("cpu", "cpu=Some Processor"),
                FakeBackend.with("fake", "fake:0=Fake", "fake:1=Fake")));

    assertThat(parsed().elsewhere(inventory))
        .containsExactly("on cpu; also here: fake:0, fake:1 (--devices)");
    assertThat(parsed("--devices=cpu").elsewhere(inventory)).isEmpty();
    assertThat(
            parsed()
                .elsewhere(Inventory.of(List.of(FakeBackend.with("cpu", "cpu=Some Processor")))))
        .isEmpty();
  }

  @Test
  void aBackendWithoutSuchAChoiceRefusesIt() {
    Inventory inventory = Inventory.of(List.of(FakeBackend.with("fake", "fake:0=Fake")));
    assertThatThrownBy(() -> parsed("--devices=fake:0", "--queue-family=1").groups(inventory))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("fake:0 has no choice of --queue-family; leave it out on this device");
  }
}
