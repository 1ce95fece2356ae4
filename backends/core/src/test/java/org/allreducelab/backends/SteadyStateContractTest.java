package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.junit.jupiter.api.Test;

/**
 * In the steady state the thread that uses a group allocates nothing on the Java heap. For backends
 * whose kernels that thread does not run itself.
 */
public abstract class SteadyStateContractTest {
  private static final int INVOCATIONS = 2000;
  private static final int IN_FLIGHT = 8;

  /** The backend under test. */
  protected abstract Backend backend();

  /** The setups that it must hold on. */
  protected abstract List<GroupSetup> setups();

  @Test
  void invocationsAllocateNothing() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (GroupSetup setup : setups()) {
      try (Group group = backend().open(setup.spec(3).capacityBytes(256).build());
          Collective collective =
              group.prepare(Algorithms.named("ring").plan(3, 100), Operands.OUT_OF_PLACE)) {
        invoke(collective);
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        invoke(collective);
        long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(bytes)
            .as("bytes for %d invocations on %s", INVOCATIONS, setup)
            .isLessThan(INVOCATIONS);
      }
    }
  }

  private static void invoke(Collective collective) {
    for (int i = 1; i <= INVOCATIONS; i++) {
      collective.enqueue();
      if (i % IN_FLIGHT == 0) {
        collective.await();
      }
    }
  }
}
