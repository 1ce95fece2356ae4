package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Placement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("vulkan")
@RequiresDriver({"llvmpipe", "SwiftShader"})
final class WaitRigTest {
  @ParameterizedTest
  @EnumSource(
      value = Placement.class,
      names = {"QUEUES", "LOGICAL"})
  void groupsOfThreeOrMoreChooseByWhatTheyMeasured(Placement placement) {
    for (String driver : List.of("llvmpipe", "SwiftShader")) {
      for (int ranks : new int[] {3, 8}) {
        GroupSpec.Builder spec = GroupSpec.builder(DriverCondition.id(driver), ranks);
        try (Group group = new VulkanBackend().open(spec.placement(placement).build())) {
          assertThat(group.choices().barrier().reason())
              .startsWith(ranks + " ranks: pairwise ")
              .contains("from a measured hop of ");
        }
      }
    }
    assertThat(LiveObjects.snapshot()).isEmpty();
  }
}
