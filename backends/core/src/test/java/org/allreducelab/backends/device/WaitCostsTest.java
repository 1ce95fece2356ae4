package org.allreducelab.backends.device;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.junit.jupiter.api.Test;

final class WaitCostsTest {
  @Test
  void aRelayPaysWhereTheWaitsItSavesCostMoreThanAHop() {
    // (n-1)(n-2) waits saved: 2, 6, 12, 42 for n = 3, 4, 5, 8.
    WaitCosts hopOfSixWaits = new WaitCosts(0, 1, 6);
    assertThat(hopOfSixWaits.barrier(3).value()).isEqualTo(Barrier.PAIRWISE);
    assertThat(hopOfSixWaits.barrier(4).value()).as("a tie").isEqualTo(Barrier.PAIRWISE);
    assertThat(hopOfSixWaits.barrier(5).value()).isEqualTo(Barrier.RELAY);
    assertThat(new WaitCosts(0, 0, 6).barrier(64).value()).isEqualTo(Barrier.PAIRWISE);
    assertThat(new WaitCosts(0, 1, 0).barrier(3).value()).isEqualTo(Barrier.RELAY);
  }

  @Test
  void theReasonShowsTheFigures() {
    assertThat(new WaitCosts(1, 4, 17).barrier(8))
        .isEqualTo(
            new Choice<>(
                Barrier.RELAY,
                "8 ranks: pairwise 241 µs, relay 90 µs, from a measured hop of 17.0 µs and wait of"
                    + " 4.00 µs"));
  }

  @Test
  void textIsReadBackAndNothingElseIs() {
    WaitCosts costs = new WaitCosts(0.5, 4.125, 17.25);
    assertThat(WaitCosts.parse(costs.text())).isEqualTo(costs);
    assertThat(WaitCosts.parse(null)).isNull();
    assertThat(WaitCosts.parse(new byte[0])).isNull();
    assertThat(WaitCosts.parse(new byte[5000])).isNull();
    for (String damaged :
        List.of(
            "satisfied 1 us, wait 1 us", "satisfied 1.2.3 us, wait 1 us, hop 1 us", "{}", "hop")) {
      assertThat(WaitCosts.parse(damaged.getBytes(US_ASCII))).as(damaged).isNull();
    }
  }
}
