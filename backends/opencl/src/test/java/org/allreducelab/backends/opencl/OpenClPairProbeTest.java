package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.Rate;
import org.allreducelab.backends.probe.Reuse;
import org.allreducelab.backends.probe.Speed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("opencl")
@RequiresPocl
final class OpenClPairProbeTest {
  private static final List<Block> SWEEP =
      List.of(new Block(4, 0), new Block(4100, 4092), new Block(2_097_156, 4));

  private final OpenClPairProbe probe = new OpenClPairProbe();
  private final String pocl = PoclCondition.devices().get(0);
  private final List<Attempt> attempts = new ArrayList<>();
  private final ProbeProgress progress =
      new ProbeProgress() {
        @Override
        public void step(String what) {}

        @Override
        public void attempt(Attempt attempt) {
          attempts.add(attempt);
        }
      };

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  @Test
  void hostMemoryIsTheOnlyClaimedWayBetweenContexts() {
    assertThat(probe.modes(pocl, pocl))
        .extracting(ProbeMode::claim)
        .containsExactly(Claim.MISSING, Claim.CLAIMED);
  }

  @Test
  void whatIsClaimedWorks() {
    ProbeFinding finding = probe.run(pocl, pocl, probe.modes(pocl, pocl).get(1), SWEEP, progress);
    assertThat(finding.verdict()).as(finding.detail()).isEqualTo(ProbeVerdict.OK);
    assertThat(attempts).hasSize(2 * (SWEEP.size() + Reuse.standard().size()));
    Speed speed = Objects.requireNonNull(finding.speed());
    assertThat(speed.bothWays()).isNull();
    Rate bothRead = Objects.requireNonNull(speed.bothRead());
    assertThat(
            List.of(
                speed.alone().copyGbPerS(),
                speed.alone().kernelGbPerS(),
                bothRead.copyGbPerS(),
                bothRead.kernelGbPerS(),
                speed.hopUs()))
        .allMatch(value -> value > 0);
  }
}
