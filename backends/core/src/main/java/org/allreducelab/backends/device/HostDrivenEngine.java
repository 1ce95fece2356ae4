package org.allreducelab.backends.device;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Backoff;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/**
 * Ranks on devices that share neither memory nor signals, of one backend or of several: slots lie
 * in host memory, and a host thread per rank waits for peers' progress and starts the rank's work.
 * What transport {@code staged-host} and sync {@code proxy} mean where devices have nothing in
 * common but the host.
 *
 * <p>What makes it right: a rank's thread counts its progress up, with release order, after its
 * device has finished the submission and its slots are in host memory; a peer's thread reads the
 * count with acquire order before it starts what reads them. No guarantee of a device API about
 * host memory that several devices know is needed beyond what each {@link RankDevice} promises
 * alone.
 */
public final class HostDrivenEngine implements DeviceEngine<HostRecording> {
  private final List<RankDevice> devices;
  private final HostSlots slots;
  private final HostRun run;
  private final List<RankThread> threads = new ArrayList<>();
  private final Closing made;

  /**
   * @param open makes the device of a rank
   */
  public HostDrivenEngine(GroupSpec spec, Opener open) {
    try (Closing closing = new Closing()) {
      List<RankDevice> opened = new ArrayList<>();
      int alignment = 1;
      for (int rank = 0; rank < spec.ranks(); rank++) {
        RankDevice device = closing.keep(open.open(rank));
        alignment = Math.max(alignment, device.hostAlignment());
        opened.add(device);
      }
      devices = List.copyOf(opened);
      slots = new HostSlots(spec.ranks(), alignment);
      run = new HostRun(spec.ranks(), spec.faults(), slots);
      for (int rank = 0; rank < spec.ranks(); rank++) {
        threads.add(new RankThread(rank, run));
      }
      made = closing.handOver();
    }
  }

  /** Makes the device of a rank. */
  public interface Opener {
    RankDevice open(int rank);
  }

  /** The variants of the ranks' kernels, each once, as users read them. */
  public String kernels() {
    return String.join(", ", devices.stream().map(RankDevice::kernels).distinct().toList());
  }

  @Override
  public int lanes() {
    return devices.size();
  }

  @Override
  public boolean merges() {
    return false;
  }

  @Override
  public void write(int rank, DataBuffer buffer, byte[] bytes) {
    devices.get(rank).write(buffer, bytes);
  }

  @Override
  public void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
    devices.get(rank).read(buffer, byteOffset, into);
  }

  @Override
  public void allocateSlots(int rank, int buffer, long bytes) {
    ByteBuffer host = slots.allocate(rank, buffer, bytes, devices.get(rank));
    try {
      devices.forEach(device -> device.addSlots(rank, buffer, host));
    } catch (RuntimeException e) {
      freeSlots(rank, buffer);
      throw e;
    }
  }

  @Override
  public void freeSlots(int rank, int buffer) {
    for (RankDevice device : devices) {
      device.removeSlots(rank, buffer);
    }
    slots.free(rank, buffer);
  }

  @Override
  public void pick(StagingUse use) {
    slots.pick(use);
    devices.forEach(device -> device.pick(use));
  }

  @Override
  public HostRecording record(Program program) {
    return new HostRecording(program, devices);
  }

  @Override
  public boolean hasRoom(int invocations) {
    return invocations < HostRun.MOST_IN_FLIGHT;
  }

  @Override
  public void submit(HostRecording recording, GroupClock clock, long[] progress) {
    run.enqueue(recording, clock, progress);
    wake();
  }

  private void wake() {
    for (int i = 0; i < threads.size(); i++) {
      threads.get(i).wake();
    }
  }

  @Override
  public boolean await(long[] values, long timeoutNs) {
    long startNs = System.nanoTime();
    int attempt = 0;
    for (int rank = 0; rank < values.length; rank++) {
      while (run.progress.lv(rank) < values[rank]) {
        if (Backoff.checksIn(attempt)) {
          requireNoFailure();
          if (System.nanoTime() - startNs > timeoutNs) {
            return false;
          }
        }
        Backoff.pause(attempt++);
      }
    }
    return true;
  }

  private void requireNoFailure() {
    @Nullable RuntimeException failure = run.failure();
    if (failure != null && !run.released) {
      throw new BackendException(
          "rank " + run.failedRank() + " failed: " + failure.getMessage(), failure);
    }
  }

  @Override
  public long value(int lane) {
    return run.progress.lv(lane);
  }

  /** Nothing: a submission is over when its thread has counted it. */
  @Override
  public void drain() {}

  /** True: copies are over when {@link #write} and {@link #read} return. */
  @Override
  public boolean copiesEnd(long timeoutNs) {
    return true;
  }

  @Override
  public boolean release(long[] values, long timeoutNs) {
    run.released = true;
    wake();
    return await(values, timeoutNs);
  }

  @Override
  public void failed(BackendException failure) {
    if (run.failure() != null) {
      devices.forEach(RankDevice::condemn);
    }
  }

  @Override
  public void opened(Group group) {
    devices.forEach(device -> device.opened(group));
  }

  @Override
  public void closed(Group group) {
    devices.forEach(device -> device.closed(group));
  }

  @Override
  public void close() {
    run.closing = true;
    threads.forEach(RankThread::close);
    made.close();
  }
}
