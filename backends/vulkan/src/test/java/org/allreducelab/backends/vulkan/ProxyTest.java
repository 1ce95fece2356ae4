package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.allreducelab.backends.LiveObjects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ways in which a proxy waits, on whatever device is here. */
@RequiresDriver("llvmpipe")
class ProxyTest {
  private static final long LIMIT_NS = 10_000_000_000L;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void passesEveryValueOnAwakeOrParked(boolean polls) {
    Random random = new Random(1);
    PhysicalDevice physical =
        SharedInstance.get().devices().stream()
            .filter(d -> d.facts().name().startsWith("llvmpipe"))
            .findFirst()
            .orElseThrow();
    QueueFamily family = QueueChoices.family(physical, null);
    LogicalDevice device = DevicePool.take(physical, family, 1);
    try (Timeline source = Timeline.plain(device);
        Timeline first = Timeline.plain(device);
        Timeline second = Timeline.plain(device);
        Proxy proxy = new Proxy(0, source, List.of(first, second), polls, Proxy.ENDLESS);
        Watch mirrors = new Watch(List.of(first, second))) {
      long value = 0;
      for (int i = 0; i < 300; i++) {
        value += 1 + random.nextInt(3);
        proxy.expect(value);
        // Long enough at times for it to be parked before the next one.
        LockSupport.parkNanos(random.nextInt(200_000));
        source.signal(value);
        mirrors.target(0, value);
        mirrors.target(1, value);
        assertThat(mirrors.await(LIMIT_NS)).as("value %d", value).isTrue();
        LockSupport.parkNanos(random.nextInt(3) * 100_000L);
      }
      assertThat(proxy.failure()).isNull();
    } finally {
      DevicePool.giveBack(device);
    }
    assertThat(LiveObjects.snapshot()).isEmpty();
  }
}
