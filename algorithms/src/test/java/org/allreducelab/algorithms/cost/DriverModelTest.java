package org.allreducelab.algorithms.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DriverModelTest {
  @Test
  void aWaitCostsInProportionToWhatIsResident() {
    DriverModel model = DriverModel.parse("radv-visibility");
    assertThat(model.waitNs(10L << 20)).isEqualTo(740_000);
    assertThat(model.waitNs(20 << 10)).isEqualTo(1445.3125);
    assertThat(model.waitNs(0)).isZero();
  }

  @Test
  void namesAreReadBack() {
    assertThat(DriverModel.parse("radv-visibility").name()).isEqualTo("radv-visibility");
    assertThat(DriverModel.parse("radv-visibility:perMiB=74us").name())
        .isEqualTo("radv-visibility");
    DriverModel slow = DriverModel.parse("radv-visibility:perMiB=1.5ms");
    assertThat(slow.nsPerMib()).isEqualTo(1_500_000);
    assertThat(DriverModel.parse(slow.name())).isEqualTo(slow);
  }

  @Test
  void whatIsWrongIsSaid() {
    assertThatThrownBy(() -> DriverModel.parse("radv"))
        .hasMessage("unknown driver model 'radv'; known: radv-visibility[:perMiB=74us]");
    for (String text : new String[] {"", "perMiB=74", "perMiB=-1us", "perMib=1us"}) {
      assertThatThrownBy(() -> DriverModel.parse("radv-visibility:" + text))
          .hasMessage(
              "malformed parameter of radv-visibility: '"
                  + text
                  + "'; expected what a wait costs for each resident MiB, at least 0, with ns, us"
                  + " or ms: perMiB=74us");
    }
  }
}
