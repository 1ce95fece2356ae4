package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.WaitCosts;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.ProbeVerdicts;
import org.junit.jupiter.api.Test;

/** What no specification promises is chosen only where the doctor saw it work both ways. */
class SelectionProbesTest {
  private final Map<String, ProbeVerdict> known = new HashMap<>();

  private void know(String from, String to, String memory, Sync sync, ProbeVerdict verdict) {
    known.put("vulkan:" + from + " vulkan:" + to + " " + memory + " " + sync, verdict);
  }

  private Choices choices(SomeDevice first, SomeDevice second) {
    ProbeVerdicts probes =
        (from, to, memory, sync) ->
            known.get(from.id() + " " + to.id() + " " + memory + " " + sync);
    return Selection.plan(
            GroupSpec.builder(List.of("vulkan:0", "vulkan:1")).probes(probes).build(),
            List.of(first.as("vulkan:0"), second.as("vulkan:1")),
            new OnPaper(new WaitCosts(1, 1, 1)))
        .choices();
  }

  private Choices ofOneDriver() {
    return choices(SomeDevice.capable("driver", "gpu 1"), SomeDevice.capable("driver", "gpu 2"));
  }

  @Test
  void withoutProbesTheSafeWay() {
    assertThat(ofOneDriver().transport().value()).isEqualTo(Transport.STAGED_HOST);
    assertThat(ofOneDriver().sync().value()).isEqualTo(Sync.PROXY);
  }

  @Test
  void nativeWhereItWasSeenToWorkWithThatMemory() {
    know("0", "1", "host", Sync.NATIVE, ProbeVerdict.OK);
    assertThat(ofOneDriver().sync().value()).isEqualTo(Sync.PROXY);
    know("1", "0", "host", Sync.NATIVE, ProbeVerdict.CORRUPT);
    assertThat(ofOneDriver().sync().value()).isEqualTo(Sync.PROXY);
    know("1", "0", "host", Sync.NATIVE, ProbeVerdict.OK);
    assertThat(ofOneDriver().transport().value()).isEqualTo(Transport.STAGED_HOST);
    assertThat(ofOneDriver().sync().value()).isEqualTo(Sync.NATIVE);
    assertThat(ofOneDriver().sync().reason())
        .isEqualTo("probed good by lab doctor, outside the Vulkan specification");
  }

  @Test
  void directWhereItWasSeenToWork() {
    know("0", "1", "opaque-fd", Sync.PROXY, ProbeVerdict.OK);
    know("1", "0", "opaque-fd", Sync.PROXY, ProbeVerdict.REFUSED);
    assertThat(ofOneDriver().transport().value()).isEqualTo(Transport.STAGED_HOST);
    know("1", "0", "opaque-fd", Sync.PROXY, ProbeVerdict.OK);
    know("0", "1", "host", Sync.NATIVE, ProbeVerdict.OK);
    know("1", "0", "host", Sync.NATIVE, ProbeVerdict.OK);
    assertThat(ofOneDriver().transport().value()).isEqualTo(Transport.DIRECT);
    assertThat(ofOneDriver().transport().reason()).contains("probed good by lab doctor");
    assertThat(ofOneDriver().sync().value()).isEqualTo(Sync.PROXY);
    know("0", "1", "opaque-fd", Sync.NATIVE, ProbeVerdict.OK);
    know("1", "0", "opaque-fd", Sync.NATIVE, ProbeVerdict.OK);
    assertThat(ofOneDriver().sync().value()).isEqualTo(Sync.NATIVE);
  }

  @Test
  void aDeviceThatExportsNoTimelineKeepsItsProxy() {
    know("0", "1", "host", Sync.NATIVE, ProbeVerdict.OK);
    know("1", "0", "host", Sync.NATIVE, ProbeVerdict.OK);
    Choices choices =
        choices(
            SomeDevice.capable("driver", "gpu 1"),
            SomeDevice.capable("driver", "gpu 2").withTimeline(SomeDevice.NO));
    assertThat(choices.sync().value()).isEqualTo(Sync.PROXY);
  }
}
