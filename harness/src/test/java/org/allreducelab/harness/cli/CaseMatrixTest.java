package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Operands;
import org.junit.jupiter.api.Test;

class CaseMatrixTest {
  private final DeviceParser devices =
      new DeviceParser(Inventory.of(List.of(FakeBackend.with("cpu", "cpu=Some Processor"))));

  private CaseMatrix matrix(String device, RankChoice ranks, String precision, String bytes) {
    return CaseMatrix.of(
        devices.parse(device),
        ranks,
        PrecisionList.parse(precision),
        AlgorithmList.parse("ring,naive"),
        SizeList.bytes(bytes),
        InPlace.BOTH);
  }

  @Test
  void isAProductWithRanksAndPrecisionSlowest() {
    List<Case> cases =
        matrix("cpu", new RankChoice(RankList.of(2, 4), RankList.of(8)), "bf16,f32", "8,16")
            .cases();
    assertThat(cases).hasSize(2 * 2 * 2 * 2 * 2);
    assertThat(cases.get(0).operands()).isEqualTo(Operands.OUT_OF_PLACE);
    assertThat(cases.get(1).operands()).isEqualTo(Operands.IN_PLACE);
    assertThat(cases.subList(0, 16)).allMatch(c -> c.ranks() == 2);
    assertThat(cases.subList(0, 8)).allMatch(c -> c.precision().equals(Precision.BF16));
    assertThat(cases.get(8).count()).isEqualTo(2);
    assertThat(cases.get(8).payloadBytes()).isEqualTo(8);
  }

  @Test
  void aPresetThatCannotDoTheRanksIsSkippedWithOneLine() {
    CaseMatrix matrix =
        matrix("cpu", new RankChoice(RankList.of(2, 4, 3), RankList.of(8)), "all", "8");
    assertThat(matrix.skipped())
        .containsExactly("skipped sycl-truncating at 3,4 ranks: it is defined for at most 2");
  }

  @Test
  void noCasesIsAnError() {
    assertThatThrownBy(
            () -> matrix("cpu", new RankChoice(null, RankList.of(4)), "sycl-truncating", "8"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no case is left")
        .hasMessageContaining("at most 2");
  }

  @Test
  void aGroupMayFixTheRanks() {
    RankChoice open = new RankChoice(null, RankList.of(2));
    assertThat(matrix("cpux4", open, "bf16", "8").cases()).allMatch(c -> c.ranks() == 4);
    assertThat(matrix("cpux4", new RankChoice(RankList.of(4), RankList.of(2)), "bf16", "8").cases())
        .allMatch(c -> c.ranks() == 4);
    assertThatThrownBy(
            () -> matrix("cpux4", new RankChoice(RankList.of(2), RankList.of(2)), "bf16", "8"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("fixes 4 ranks, --ranks says 2");
  }
}
