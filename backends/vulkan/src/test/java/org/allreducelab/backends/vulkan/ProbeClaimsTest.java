package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.ProbeMode;
import org.junit.jupiter.api.Test;

class ProbeClaimsTest {
  private static final SomeDevice GPU = SomeDevice.capable("driver a", "gpu 1");

  private static ProbeMode mode(SomeDevice from, SomeDevice to, String memory, Sync sync) {
    return ProbeClaims.of(from.as("vulkan:0"), to.as("vulkan:1")).stream()
        .filter(m -> m.memory().equals(memory) && m.sync() == sync)
        .findFirst()
        .orElseThrow();
  }

  private static Claim claim(SomeDevice from, SomeDevice to, String memory, Sync sync) {
    return mode(from, to, memory, sync).claim();
  }

  @Test
  void everyKindOfMemoryWithEveryKindOfSync() {
    assertThat(ProbeClaims.of(GPU.as("vulkan:0"), GPU.as("vulkan:0")))
        .extracting(m -> m.transport().label() + " " + m.memory() + " " + m.sync().label())
        .containsExactly(
            "direct opaque-fd native",
            "direct opaque-fd proxy",
            "direct dma-buf native",
            "direct dma-buf proxy",
            "staged-host host native",
            "staged-host host proxy");
    assertThat(mode(GPU, GPU, "host", Sync.PROXY).transport()).isEqualTo(Transport.STAGED_HOST);
  }

  @Test
  void oneDeviceClaimsWhatItAdvertises() {
    assertThat(claim(GPU, GPU, "opaque-fd", Sync.NATIVE)).isEqualTo(Claim.CLAIMED);
    assertThat(claim(GPU, GPU, "host", Sync.NATIVE)).isEqualTo(Claim.CLAIMED);
    ProbeMode dmaBuf = mode(GPU, GPU, "dma-buf", Sync.PROXY);
    assertThat(dmaBuf.claim()).isEqualTo(Claim.MISSING);
    assertThat(dmaBuf.reason()).isEqualTo("vulkan:0: an extension is missing");
  }

  @Test
  void aDeviceThatExportsNoTimelineIsNeverAskedForOne() {
    SomeDevice software = GPU.withTimeline(SomeDevice.NO);
    for (String memory : new String[] {"opaque-fd", "host"}) {
      assertThat(claim(software, software, memory, Sync.NATIVE)).isEqualTo(Claim.MISSING);
      assertThat(claim(software, software, memory, Sync.PROXY)).isEqualTo(Claim.CLAIMED);
      assertThat(claim(GPU, software, memory, Sync.NATIVE)).isEqualTo(Claim.MISSING);
      assertThat(claim(software, GPU, memory, Sync.NATIVE)).isEqualTo(Claim.MISSING);
    }
  }

  @Test
  void opaqueHandlesBetweenDevicesOfOneDriverAreOutsideTheSpecification() {
    SomeDevice other = SomeDevice.capable("driver a", "gpu 2");
    assertThat(claim(GPU, other, "opaque-fd", Sync.PROXY)).isEqualTo(Claim.UNSPECIFIED);
    assertThat(claim(GPU, other, "host", Sync.NATIVE)).isEqualTo(Claim.UNSPECIFIED);
    assertThat(claim(GPU, other, "host", Sync.PROXY)).isEqualTo(Claim.CLAIMED);
  }

  @Test
  void betweenDriversOnlyHostMemoryAndDmaBufsGo() {
    SomeDevice other = SomeDevice.capable("driver b", "gpu 1").withDmaBuf(SomeDevice.YES);
    SomeDevice dmaBufs = GPU.withDmaBuf(SomeDevice.YES);
    assertThat(claim(dmaBufs, other, "opaque-fd", Sync.PROXY)).isEqualTo(Claim.MISSING);
    assertThat(claim(dmaBufs, other, "dma-buf", Sync.PROXY)).isEqualTo(Claim.CLAIMED);
    assertThat(claim(dmaBufs, other, "dma-buf", Sync.NATIVE)).isEqualTo(Claim.MISSING);
    assertThat(claim(dmaBufs, other, "host", Sync.PROXY)).isEqualTo(Claim.CLAIMED);
  }

  @Test
  void theOwnerExportsAndTheReaderImports() {
    SomeDevice exporter = GPU.withOpaqueFd(new Sharing(true, false, false, "queried"));
    assertThat(claim(exporter, GPU, "opaque-fd", Sync.PROXY)).isEqualTo(Claim.CLAIMED);
    ProbeMode back = mode(GPU, exporter, "opaque-fd", Sync.PROXY);
    assertThat(back.claim()).isEqualTo(Claim.MISSING);
    assertThat(back.reason()).isEqualTo("vulkan:1: queried: not importable");
  }

  @Test
  void hostMemoryGoesWhereBothImportIt() {
    SomeDevice without = GPU.withHost(SomeDevice.NO);
    assertThat(claim(without, GPU, "host", Sync.PROXY)).isEqualTo(Claim.MISSING);
    assertThat(claim(GPU, without, "host", Sync.PROXY)).isEqualTo(Claim.MISSING);
  }

  @Test
  void nothingGoesWithoutTimelines() {
    assertThat(
            ProbeClaims.of(GPU.as("vulkan:0"), GPU.withoutTimelines().as("vulkan:1")).stream()
                .map(ProbeMode::claim))
        .containsOnly(Claim.MISSING);
  }
}
