package org.allreducelab.harness.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.harness.cli.ForcedChoices;
import org.allreducelab.results.CaseRecord;
import org.junit.jupiter.api.Test;

class DecodeCaseTest {
  private static final DecodeCase FULL =
      new DecodeCase(
          List.of("vulkan:0", "vulkan:1"),
          4,
          "recursive-doubling:distance=asc",
          Precision.BF16_F32ACC,
          16,
          4096,
          ForcedChoices.of(Map.of("transport", "staged-host", "sync", "proxy", "queues", "2")),
          "fixed:64KiB",
          Model.named("8b"),
          Trace.named("speculative", 100, 20),
          new EngineModel(
              Await.EACH,
              32_000_000,
              new DriverModel(74_000),
              Set.of(1, 3),
              1 << 20,
              30,
              Duration.ofSeconds(7)));

  @Test
  void crossesIntoAForkAndBack() {
    assertThat(DecodeCase.ofParams(FULL.params())).isEqualTo(FULL);
    DecodeCase plain = DecodeCases.of("grow-only", 0, FULL.trace(), DecodeCases.PLAIN);
    DecodeCase back = DecodeCase.ofParams(plain.params());
    assertThat(back.engine()).isEqualTo(plain.engine());
    assertThat(back.forced()).isEqualTo(plain.forced());
  }

  @Test
  void everyParameterIsInTheAlphabet() {
    assertThat(FULL.params().values()).allMatch(value -> value.matches("[A-Za-z0-9._-]+"));
    assertThatThrownBy(() -> DecodeCase.ofParams(Map.of())).hasMessageContaining("is missing");
  }

  @Test
  void theRecordSaysWhatIsEmulatedAndSliced() {
    CaseRecord record = FULL.planned();
    assertThat(record.emulated()).isTrue();
    assertThat(record.key().sliceCount()).isEqualTo(4096);
    assertThat(record.bytes()).isEqualTo(100 * 4096 * 2);
    assertThat(record.id()).contains("fixed_64KiB", "queues2", "emulated");
    assertThat(record.benchmark()).isEqualTo("DecodeBenchmark.trace");
  }
}
