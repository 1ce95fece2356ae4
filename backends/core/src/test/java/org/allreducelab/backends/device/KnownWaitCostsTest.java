package org.allreducelab.backends.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.CacheFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KnownWaitCostsTest {
  private static final WaitCosts COSTS = new WaitCosts(1, 4, 17);

  @TempDir Path folder;
  private int measured;

  private KnownWaitCosts known() {
    return new KnownWaitCosts(new CacheFolder(folder));
  }

  private WaitCosts measure() {
    measured++;
    return COSTS;
  }

  private WaitCosts fail() {
    measured++;
    throw new BackendException("no end within 2 s");
  }

  @Test
  void measuredOnceForThisProcessAndTheNext() {
    KnownWaitCosts known = known();
    assertThat(known.kept("a")).isNull();
    assertThat(known.find("a", this::measure)).isEqualTo(COSTS);
    assertThat(known.find("a", this::measure)).isEqualTo(COSTS);
    assertThat(known().find("a", this::measure)).isEqualTo(COSTS);
    assertThat(measured).isEqualTo(1);
    assertThat(known().kept("a")).isEqualTo(COSTS);
    assertThat(known().kept("b")).isNull();
  }

  @Test
  void whatFailedIsTriedAgainInTheNextProcessOnly() {
    KnownWaitCosts known = known();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> known.find("a", this::fail))
          .isInstanceOf(BackendException.class)
          .hasMessage("no end within 2 s");
    }
    assertThat(measured).isEqualTo(1);
    assertThat(known().find("a", this::measure)).isEqualTo(COSTS);
  }
}
