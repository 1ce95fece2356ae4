package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.device.WaitCosts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BarrierTest {
  private static final WaitCosts SLOW_WAITS = new WaitCosts(1, 4, 17);

  private static Choice<Barrier> chosen(
      int ranks, @Nullable Placement placement, @Nullable WaitCosts costs) {
    GroupSpec.Builder spec = GroupSpec.builder(Collections.nCopies(ranks, "vulkan:0"));
    return Selection.plan(
            spec.placement(placement).build(),
            List.of(SomeDevice.capable("driver", "gpu").as("vulkan:0")),
            new OnPaper(costs))
        .choices()
        .barrier();
  }

  @Test
  void whatWasMeasuredDecidesAndOnlyWhereItMatters() {
    assertThat(chosen(8, null, SLOW_WAITS)).isEqualTo(SLOW_WAITS.barrier(8));
    assertThat(chosen(2, null, null).reason()).isEqualTo("two ranks wait as often either way");
    assertThat(chosen(8, Placement.SINGLE_QUEUE, null).reason())
        .isEqualTo("nobody waits on a single queue");
  }

  @Test
  void aFailedMeasurementIsAGuessThatSaysSo() {
    assertThat(chosen(8, Placement.LOGICAL, null))
        .isEqualTo(
            new Choice<>(
                Barrier.PAIRWISE, "guessed, since waits could not be measured: the gate is stuck"));
    assertThat(chosen(8, Placement.QUEUES, null).value()).isEqualTo(Barrier.RELAY);
  }
}
