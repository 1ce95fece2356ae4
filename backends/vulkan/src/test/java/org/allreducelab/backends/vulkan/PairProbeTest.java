package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.Reuse;
import org.allreducelab.backends.probe.Speed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real bytes between devices. */
abstract class PairProbeTest {
  static final VulkanPairProbe PROBE = new VulkanPairProbe();
  private static final List<Block> SWEEP =
      List.of(
          new Block(4, 0),
          new Block(4, 2_097_148),
          new Block(4100, 4092),
          new Block(2_097_156, 4),
          new Block(3_563_520, 0));

  private final Map<String, Long> liveBefore = LiveObjects.snapshot();
  private final List<Attempt> attempts = new ArrayList<>();
  final ProbeProgress progress =
      new ProbeProgress() {
        @Override
        public void step(String what) {}

        @Override
        public void attempt(Attempt attempt) {
          attempts.add(attempt);
        }
      };

  @AfterEach
  void everythingIsFreed() {
    assertThat(LiveObjects.snapshot()).isEqualTo(liveBefore);
  }

  /** Software drivers, all pairs of which are tried. */
  abstract List<String> devices();

  @Test
  void whatIsClaimedWorks() {
    for (String from : devices()) {
      for (String to : devices()) {
        List<ProbeMode> claimed =
            PROBE.modes(from, to).stream().filter(m -> m.claim() == Claim.CLAIMED).toList();
        // They share no timelines and no dma-bufs, and device memory only with themselves.
        assertThat(claimed).hasSize(from.equals(to) ? 2 : 1);
        claimed.forEach(mode -> works(from, to, mode));
      }
    }
  }

  private void works(String from, String to, ProbeMode mode) {
    attempts.clear();
    ProbeFinding finding = PROBE.run(from, to, mode, SWEEP, progress);
    assertThat(finding.verdict())
        .as("%s to %s, %s: %s", from, to, mode, finding)
        .isEqualTo(ProbeVerdict.OK);
    assertThat(attempts).hasSize(2 * (SWEEP.size() + Reuse.standard().size()));
    Speed speed = Objects.requireNonNull(finding.speed());
    assertThat(speed.bothWays() != null)
        .as("written and read at once where staged")
        .isEqualTo(mode.transport() == Transport.STAGED_HOST);
    assertThat(Stream.of(speed.alone(), speed.bothRead(), speed.bothWays()))
        .filteredOn(Objects::nonNull)
        .hasSize(speed.bothWays() == null ? 2 : 3)
        .allMatch(rate -> rate.copyGbPerS() > 0 && rate.kernelGbPerS() > 0);
    assertThat(speed.hopUs()).isPositive();
  }
}
