package org.allreducelab.backends.cpu;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Pause;
import org.jspecify.annotations.Nullable;

/**
 * Emulates a driver whose waits cost in proportion to resident memory: one proxy serves the waits
 * of all ranks, one after the other.
 *
 * <p>There is no thread behind it. Who waits books the next free span of the proxy's time, behind
 * all that were booked before, and goes on at its end.
 */
final class EmulatedProxy {
  private final DriverModel model;
  private final AtomicLongArray residentBytes;
  private final AtomicLong freeAtNs = new AtomicLong(System.nanoTime());

  private EmulatedProxy(DriverModel model, int ranks) {
    this.model = model;
    residentBytes = new AtomicLongArray(ranks);
  }

  /** The proxy of a group that emulates a driver, or null. */
  static @Nullable EmulatedProxy of(GroupSpec spec) {
    DriverModel model = spec.driverModel();
    return model == null ? null : new EmulatedProxy(model, spec.ranks());
  }

  /** A rank has so many bytes of staging memory more, or less; nothing is in flight. */
  void allocated(int rank, long bytes) {
    residentBytes.addAndGet(rank, bytes);
  }

  /** Passes the time that a rank's waits take, each of which is satisfied by now. */
  void serve(int rank, int waits) {
    long durationNs = Math.round(waits * model.waitNs(residentBytes.get(rank)));
    long nowNs = System.nanoTime();
    long bookedNs;
    long endNs;
    do {
      bookedNs = freeAtNs.get();
      endNs = (bookedNs - nowNs > 0 ? bookedNs : nowNs) + durationNs;
    } while (!freeAtNs.compareAndSet(bookedNs, endNs));
    Pause.until(endNs);
  }
}
