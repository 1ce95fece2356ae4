package org.allreducelab.backends.opencl;

import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Backoff;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.WaitCosts;
import org.allreducelab.backends.device.WaitRhythms;
import org.allreducelab.backends.device.WaitRhythms.PeerRound;
import org.allreducelab.backends.device.WaitRhythms.Rhythm;
import org.lwjgl.system.MemoryUtil;

/**
 * Measures {@link WaitCosts} in one context, with a queue per rank and commands that only wait and
 * give an event. Takes some milliseconds.
 *
 * <p>A relay adds just such commands. Enqueueing is part of what is measured: events are used once,
 * so an all-reduce has to name each one it waits for, and to flush its queue, every time.
 */
final class WaitRig implements AutoCloseable {
  private static final long LIMIT_NS = 2_000_000_000L;

  private final CommandQueue[] queues;
  private final EventLog[] logs;

  /** Per rank, how many of its rounds are behind it. */
  private final long[] done;

  private final long waitList;
  private final long event;
  private final Closing made;

  /**
   * @param ranks {@link WaitRhythms#LEAST_RANKS} to {@link WaitRhythms#MOST_RANKS}
   */
  WaitRig(Device device, int ranks) {
    queues = new CommandQueue[ranks];
    logs = new EventLog[ranks];
    done = new long[ranks];
    try (Closing closing = new Closing()) {
      DeviceContext context = closing.keep(new DeviceContext(device));
      for (int rank = 0; rank < ranks; rank++) {
        queues[rank] = closing.keep(new CommandQueue(context));
        logs[rank] = closing.keep(new EventLog(context));
      }
      waitList = MemoryUtil.nmemAllocChecked((long) Long.BYTES * (ranks + 1));
      event = waitList + (long) Long.BYTES * ranks;
      closing.keep(() -> MemoryUtil.nmemFree(waitList));
      made = closing.handOver();
    }
  }

  /**
   * @throws BackendException if a call fails or the device does not come to an end
   */
  WaitCosts measure() {
    return WaitRhythms.measure(queues.length, this::run);
  }

  private double run(int active, Rhythm rhythm) {
    long[] start = done.clone();
    for (int rank = active; rank < queues.length; rank++) {
      step(rank, List.of(), start);
    }
    awaitAll();
    long startNs = System.nanoTime();
    for (int round = 0; round < WaitRhythms.ROUNDS; round++) {
      for (int rank = 0; rank < active; rank++) {
        step(rank, rhythm.waits(rank, round), start);
      }
    }
    awaitAll();
    long elapsedNs = System.nanoTime() - startNs;
    for (EventLog log : logs) {
      log.clear();
    }
    return elapsedNs / 1e3;
  }

  private void step(int rank, List<PeerRound> waits, long[] start) {
    int due = 0;
    for (PeerRound wait : waits) {
      int peer = wait.peer();
      long awaited = logs[peer].at(start[peer] + wait.rounds());
      MemoryUtil.memPutAddress(waitList + (long) Long.BYTES * due++, awaited);
      queues[peer].flush();
    }
    MemoryUtil.memPutAddress(event, MemoryUtil.NULL);
    queues[rank].marker(due, waitList, event);
    logs[rank].add(MemoryUtil.memGetAddress(event));
    done[rank]++;
  }

  private void awaitAll() {
    for (CommandQueue queue : queues) {
      queue.flush();
    }
    long startNs = System.nanoTime();
    int attempt = 0;
    for (EventLog log : logs) {
      while (!log.isComplete()) {
        if (System.nanoTime() - startNs > LIMIT_NS) {
          throw new BackendException("waits did not end within " + LIMIT_NS / 1_000_000_000 + " s");
        }
        Backoff.pause(attempt++);
      }
    }
  }

  /** Frees everything; the driver keeps what commands still use. */
  @Override
  public void close() {
    made.close();
  }
}
