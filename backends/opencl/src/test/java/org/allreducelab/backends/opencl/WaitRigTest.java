package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.device.WaitCosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("opencl")
@RequiresPocl
final class WaitRigTest {
  private final String pocl = PoclCondition.devices().get(0);

  @ParameterizedTest
  @ValueSource(ints = {3, 8})
  void groupsOfThreeOrMoreChooseByWhatTheyMeasured(int ranks) {
    try (Group group = new OpenClBackend().open(GroupSpec.builder(pocl, ranks).build())) {
      assertThat(group.choices().barrier().reason())
          .startsWith(ranks + " ranks: pairwise ")
          .contains("from a measured hop of ");
    }
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  @Test
  void aHopTakesTimeAndNothingIsLeftOpen() {
    try (WaitRig rig = new WaitRig(Devices.named(pocl), 4)) {
      WaitCosts costs = rig.measure();
      assertThat(costs.hopUs()).isBetween(0.1, 100_000.0);
      assertThat(costs.waitUs()).isNotNegative();
    }
    assertThat(LiveObjects.snapshot()).isEmpty();
  }
}
