package org.allreducelab.harness.decode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.vulkan.VulkanBackend;
import org.allreducelab.harness.Lavapipe;
import org.allreducelab.results.Verdict;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What ranks wait for each other, by the clock of a device. */
@Tag("vulkan")
class DeviceWaitsTest {
  private static final Trace TURNS = Trace.named("multi-turn", 100, 8);

  @Test
  void everySizeHasItsWaits() {
    String device = Lavapipe.idFor(DeviceWaitsTest.class);
    for (String policy : new String[] {"shrink", "fixed:4KiB"}) {
      int slice = policy.startsWith("fixed") ? 896 : 0;
      DecodeCase decodeCase = DecodeCases.on(device, policy, slice, TURNS, DecodeCases.PLAIN);
      try (DecodeRig rig = DecodeRig.timestamped(decodeCase, new VulkanBackend(), 9)) {
        StepSamples samples = new StepSamples();
        rig.sampleWaits(samples);
        assertThat(samples.named()).containsOnlyKeys("decode-wait", "prefill-wait");
        for (Histogram waits : samples.named().values()) {
          assertThat(waits.getTotalCount()).isEqualTo(64);
        }
        // Three ranks in a ring wait for each other four times.
        Histogram decode = requireNonNull(samples.named().get("decode-wait"));
        assertThat(decode.getMaxValue()).isPositive();
        assertThat(rig.verify().verdict()).isEqualTo(Verdict.EXACT);
      }
    }
    assertThat(LiveObjects.snapshot()).isEmpty();
  }
}
