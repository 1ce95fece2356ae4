package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.device.DeviceTimes;
import org.allreducelab.backends.opencl.Recording.Step;
import org.junit.jupiter.api.Test;

/** Whose kernels count together; the times are made up. */
final class KernelTimesTest {
  private final MadeUp profile = new MadeUp();

  /** Event e begins at 100 e and takes 10 e nanoseconds. */
  private static final class MadeUp implements KernelTimes.Profile {
    final List<Long> released = new ArrayList<>();

    @Override
    public long startNs(long event) {
      return 100 * event;
    }

    @Override
    public long endNs(long event) {
      return 110 * event;
    }

    @Override
    public void release(long event) {
      released.add(event);
    }

    @Override
    public void close() {}
  }

  private static Step step(int rank, int lane) {
    return new Step(rank, 1, lane, List.of(), List.of(), true);
  }

  @Test
  void withAQueueEachRanksCountByThemselves() {
    try (KernelTimes times = new KernelTimes(profile, 2)) {
      times.add(step(0, 0), 1);
      times.add(step(1, 1), 2);
      times.add(step(1, 1), 4);
      times.add(step(0, 0), 3);

      assertThat(times.read()).isEqualTo(new DeviceTimes(440 - 100, 20 + 40));
    }
  }

  @Test
  void ranksOfASingleQueueCountTogether() {
    try (KernelTimes times = new KernelTimes(profile, 1)) {
      times.add(step(0, 0), 1);
      times.add(step(1, 0), 2);
      times.add(step(2, 0), 3);

      assertThat(times.read()).isEqualTo(new DeviceTimes(330 - 100, 10 + 20 + 30));
    }
  }

  @Test
  void everyInvocationIsReadByItselfAndItsEventsReleasedOnce() {
    try (KernelTimes times = new KernelTimes(profile, 1)) {
      List<Long> added = new ArrayList<>();
      for (long event = 1; event <= 100; event++) {
        times.add(step(0, 0), event);
        added.add(event);
      }
      assertThat(times.read()).isEqualTo(new DeviceTimes(11_000 - 100, 10 * 5050));
      assertThat(profile.released).isEqualTo(added);
      assertThat(times.read()).isEqualTo(DeviceTimes.UNKNOWN);

      times.add(step(0, 0), 7);
    }
    assertThat(profile.released).hasSize(101).endsWith(7L);
  }
}
