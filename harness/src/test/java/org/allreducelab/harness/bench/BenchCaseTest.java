package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.harness.cli.DurationText;
import org.allreducelab.harness.cli.ForcedChoices;
import org.allreducelab.results.Tag;
import org.junit.jupiter.api.Test;

class BenchCaseTest {
  private static final BenchCase FULL =
      new BenchCase(
          List.of("vulkan:0", "vulkan:1"),
          3,
          "recursive-doubling:distance=asc,fold=adjacent",
          10240,
          Precision.F32_BF16WIRE,
          1,
          new ForcedChoices(
              Placement.QUEUES,
              Transport.STAGED_HOST,
              Sync.PROXY,
              Barrier.RELAY,
              SharedMemory.DMA_BUF,
              2,
              3),
          false,
          "grow-only",
          Duration.ofMillis(1500),
          64,
          16,
          Role.CONTENDER);

  @Test
  void crossesIntoTheForkAsParametersAndBack() {
    assertThat(BenchCase.ofParams(FULL.params())).isEqualTo(FULL);
    BenchCase plain = Cases.on("cpu", "ring", 8);
    assertThat(BenchCase.ofParams(plain.params())).isEqualTo(plain);
    assertThat(BenchCase.ofParams(FULL.asBare().params())).isEqualTo(FULL.asBare());
    BenchCase single = Cases.on("cpu", "ring", 8).asSingleQueue();
    assertThat(BenchCase.ofParams(single.params())).isEqualTo(single);
  }

  /** A deadline below a millisecond used to reach the fork as zero. */
  @Test
  void aDeadlineCrossesExactly() {
    for (String typed : List.of("500us", "1us", "1500us", "10s", "2min")) {
      Map<String, String> params = new HashMap<>(FULL.params());
      params.put("deadlineNs", Long.toString(DurationText.parse(typed).toNanos()));
      BenchCase read = BenchCase.ofParams(params);

      assertThat(read.deadline()).as(typed).isEqualTo(DurationText.parse(typed));
      assertThat(read.params()).as(typed).isEqualTo(params);
    }
  }

  @Test
  void parametersKeepToTheAlphabetOfTags() {
    FULL.params().forEach(Tag::require);
    assertThat(FULL.params())
        .containsEntry("devices", "vulkan.0_vulkan.1")
        .containsEntry("algorithm", "recursive-doubling.distance..asc_fold..adjacent");
  }

  @Test
  void partsOfADeviceCross() {
    BenchCase parts = Cases.on("opencl:0/1", 2, "ring", 8, false);

    assertThat(parts.params()).containsEntry("devices", "opencl.0__1");
    assertThat(BenchCase.ofParams(parts.params())).isEqualTo(parts);
    assertThat(ParamText.decode(ParamText.encode("cpu,opencl:0/0,opencl:0/1")))
        .isEqualTo("cpu,opencl:0/0,opencl:0/1");
  }

  @Test
  void itsParametersAreThoseOfTheBenchmark() throws ReflectiveOperationException {
    for (String name : FULL.params().keySet()) {
      assertThat(AllReduceState.class.getField(name).getType()).as(name).isEqualTo(String.class);
    }
  }

  @Test
  void theIdNamesWhatDiffersFromTheDefault() {
    assertThat(Cases.on("cpu", "ring", 10240).id()).isEqualTo("cpu-n2-ring-20480B-bf16");
    assertThat(FULL.id())
        .isEqualTo(
            "vulkan_0_vulkan_1-n3-recursive-doubling_distance_asc_fold_adjacent-40960B"
                + "-f32-bf16wire-g1-queues-staged-host-proxy-relay-dma-buf-family2-queues3-x64-graph16");
  }

  @Test
  void aBareDispatchIsNeverPartOfAGraph() {
    assertThat(FULL.asBare().graph()).isEqualTo(1);
    assertThat(FULL.asBare().inflight()).isEqualTo(FULL.inflight());
    assertThat(FULL.asSingleQueue().graph()).isEqualTo(16);
  }

  @Test
  void yardsticksHaveIdsOfTheirOwn() {
    BenchCase contender = Cases.on("vulkan:0", 4, "one-shot", 10240, true);

    assertThat(contender.asBare().id()).isEqualTo("vulkan_0-n4-bare-copy-20480B-bf16");
    assertThat(contender.asSingleQueue().id())
        .isEqualTo("vulkan_0-n4-one-shot-20480B-bf16-single-queue-in-place");
  }

  /** Nothing is signalled between ranks there, so a proxy that was forced would be refused. */
  @Test
  void onASingleQueueOnlyTheTransportStaysForced() {
    assertThat(FULL.asSingleQueue().forced())
        .isEqualTo(
            new ForcedChoices(
                Placement.SINGLE_QUEUE, Transport.STAGED_HOST, null, null, null, 2, null));
  }

  @Test
  void ranksGoRoundRobinOverDevices() {
    GroupSpec spec = FULL.groupSpec().build();

    assertThat(spec.endpoints()).containsExactly("vulkan:0", "vulkan:1", "vulkan:0");
    assertThat(spec.capacityBytes()).isEqualTo(40960);
    assertThat(spec.transport()).isEqualTo(Transport.STAGED_HOST);
    assertThat(spec.memory()).isEqualTo(SharedMemory.DMA_BUF);
    assertThat(spec.queueFamily()).isEqualTo(2);
    assertThat(spec.queues()).isEqualTo(3);
  }

  @Test
  void inPlaceTakesOneAtATime() {
    Map<String, String> params = new HashMap<>(FULL.params());
    params.put("inPlace", "true");

    assertThatThrownBy(() -> BenchCase.ofParams(params))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in place, one all-reduce at a time");
  }
}
