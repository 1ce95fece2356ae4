package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Timings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Times by the device's own clock, for groups that ask for them. */
@Tag("opencl")
@RequiresPocl
final class TimesTest {

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  private static Timings timings(Placement placement, boolean asked) {
    GroupSpec spec =
        GroupSpec.builder(PoclCondition.devices().get(0), 3)
            .placement(placement)
            .timestamps(asked)
            .capacityBytes(1 << 20)
            .build();
    try (Group group = new OpenClBackend().open(spec);
        Collective ring =
            group.prepare(Algorithms.named("ring").plan(3, 100_000), Operands.OUT_OF_PLACE)) {
      for (int i = 0; i < 3; i++) {
        ring.enqueue();
        ring.enqueue();
        ring.await();
      }
      return ring.timings();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Placement.class,
      names = {"QUEUES", "SINGLE_QUEUE"})
  void kernelsAreTimedWhereThatIsAskedFor(Placement placement) {
    Timings timings = timings(placement, true);
    assertThat(timings.kernelsNs()).isPositive();
    assertThat(timings.deviceNs()).isGreaterThanOrEqualTo(timings.kernelsNs());
    // All of it happens between the call of enqueue and the end of await, but for the clocks.
    assertThat(timings.deviceNs()).isLessThan(60_000_000_000L);
    assertThat(timings(placement, false).deviceNs()).isEqualTo(Timings.UNKNOWN);
  }
}
