package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.DeviceTimes;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.StreamStep;
import org.allreducelab.backends.lowering.StreamStep.Part;
import org.allreducelab.backends.lowering.StreamSteps;
import org.allreducelab.backends.vulkan.TimedSteps.Counter;
import org.junit.jupiter.api.Test;

/** Which timestamps count for whom; they are made up. */
final class TimedStepsTest {
  private static final Counter NANOSECONDS = new Counter(64, 1);

  private static StreamStep step(int stream, int submission) {
    return new StreamStep(stream, List.of(), List.of(new Part(submission, false)));
  }

  @Test
  void stepsOfAStreamCountTogether() {
    TimedSteps steps = new TimedSteps(3, List.of(NANOSECONDS));
    assertThat(steps.add(0, step(0, 0))).isZero();
    assertThat(steps.add(0, step(2, 1))).isEqualTo(2);
    assertThat(steps.add(0, step(1, 2))).isEqualTo(4);
    assertThat(steps.add(0, step(2, 3))).isEqualTo(6);
    assertThat(steps.timestamps(0)).isEqualTo(8);
    long[] ticks = {1000, 1060, 1010, 1050, 1065, 1085, 1070, 1100};

    assertThat(steps.times((device, timestamp) -> ticks[timestamp]))
        .isEqualTo(new DeviceTimes(100, 40 + 30));
  }

  /**
   * One device executes the steps of two streams in turn, each in 10 ns, whichever ranks they begin
   * with: the busier stream has half of the time at least.
   */
  @Test
  void kernelsOfRanksThatShareAQueueCountTogether() {
    Program program =
        Lowering.lower(
            Algorithms.named("double-binary-tree").plan(8, 1000),
            LoweringSpec.of(Precision.BF16, Transport.STAGED_HOST, Operands.OUT_OF_PLACE));
    int[] streamOfRanks = {0, 0, 0, 0, 1, 1, 1, 1};
    List<StreamStep> planned = StreamSteps.of(program, streamOfRanks);
    TimedSteps steps = new TimedSteps(8, List.of(NANOSECONDS));
    planned.forEach(step -> steps.add(0, step));

    DeviceTimes times = steps.times((device, timestamp) -> 10L * ((timestamp + 1) / 2));

    int[] stepsOfStream = new int[2];
    for (StreamStep step : planned) {
      Part first = step.parts().get(0);
      stepsOfStream[streamOfRanks[program.submissions().get(first.submission()).rank()]]++;
    }
    assertThat(stepsOfStream).doesNotContain(0);
    assertThat(times)
        .isEqualTo(
            new DeviceTimes(
                10L * planned.size(), 10L * Math.max(stepsOfStream[0], stepsOfStream[1])));
  }

  /** Clocks of devices do not compare, so each is read by itself, with its own counter. */
  @Test
  void devicesHaveClocksOfTheirOwn() {
    TimedSteps steps = new TimedSteps(2, List.of(NANOSECONDS, new Counter(36, 2)));
    assertThat(steps.add(0, step(0, 0))).isZero();
    assertThat(steps.add(1, step(1, 1))).isZero();
    assertThat(steps.add(1, step(1, 2))).isEqualTo(2);
    long wrap = 1L << 36;
    long[][] ticks = {{5000, 5070}, {wrap - 10, 5, 20, 40}};

    assertThat(steps.times((device, timestamp) -> ticks[device][timestamp]))
        .isEqualTo(new DeviceTimes(2 * 50, 2 * (15 + 20)));
  }

  @Test
  void aDeviceWithoutStepsSaysNothing() {
    TimedSteps steps = new TimedSteps(1, List.of(NANOSECONDS, NANOSECONDS));
    steps.add(1, step(0, 0));

    assertThat(steps.times((device, timestamp) -> 3L * timestamp)).isEqualTo(new DeviceTimes(3, 3));
    assertThat(new TimedSteps(1, List.of(NANOSECONDS)).times((device, timestamp) -> 0))
        .isEqualTo(DeviceTimes.UNKNOWN);
  }
}
