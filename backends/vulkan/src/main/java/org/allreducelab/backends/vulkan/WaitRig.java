package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.WaitCosts;
import org.allreducelab.backends.device.WaitRhythms;
import org.allreducelab.backends.device.WaitRhythms.PeerRound;
import org.allreducelab.backends.device.WaitRhythms.Rhythm;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.PeerWait;
import org.allreducelab.backends.lowering.StreamStep.RankNeed;
import org.allreducelab.backends.vulkan.Step.SemaphoreWait;
import org.allreducelab.backends.vulkan.Step.Signal;

/**
 * Measures {@link WaitCosts}, with the queues, timelines and proxies that a group of three or four
 * ranks has, and submissions that only wait and signal. Takes some milliseconds.
 *
 * <p>All of a rhythm is enqueued before its start, which the host signals, so that no time of
 * enqueueing is in it.
 */
final class WaitRig implements AutoCloseable {
  private static final long LIMIT_NS = 2_000_000_000L;

  private final Sites sites;
  private final Lanes lanes;
  private final Timeline gate;
  private final Closing made;
  private final int ranks;
  private final GroupClock clock;

  /** Per lane, its value. */
  private final long[] progress;

  private long gated;
  private boolean stuck;

  /**
   * @param plan of {@link WaitRhythms#LEAST_RANKS} to {@link WaitRhythms#MOST_RANKS} ranks
   */
  WaitRig(GroupPlan plan) {
    ranks = plan.ranks();
    clock = new GroupClock(ranks + 1);
    progress = new long[ranks];
    try (Closing closing = new Closing()) {
      sites = closing.keep(Sites.of(plan, new GlslCompiler(SpirvCache.ofUser())));
      // Nobody gets these devices after this; a group's own have as many queues as it has ranks.
      sites.condemn();
      lanes = closing.keep(Lanes.of(plan, sites, null));
      gate = closing.keep(Timeline.plain(sites.of(0).device()));
      made = closing.handOver();
    }
    SharedInstance.opened(this);
  }

  /**
   * @throws BackendException if a device fails or does not come to an end
   */
  WaitCosts measure() {
    return WaitRhythms.measure(ranks, this::run);
  }

  private double run(int active, Rhythm rhythm) {
    long[] before = Arrays.copyOf(progress, ranks + 1);
    before[gateIndex()] = gated++;
    for (int rank = active; rank < ranks; rank++) {
      before[rank]--;
    }
    stuck = true;
    try (Closing closing = new Closing()) {
      for (QueueBatch batch : batches(active, rhythm, closing)) {
        batch.submit(clock, before);
      }
      for (int rank = 0; rank < active; rank++) {
        progress[rank] += WaitRhythms.ROUNDS;
      }
      long startNs = System.nanoTime();
      gate.signal(gated);
      if (!lanes.await(progress, LIMIT_NS)) {
        throw new BackendException("waits did not end within " + LIMIT_NS / 1_000_000_000 + " s");
      }
      long elapsedNs = System.nanoTime() - startNs;
      lanes.requireProxies();
      stuck = false;
      return elapsedNs / 1e3;
    } catch (DriverException e) {
      // A lost device executes nothing any more.
      stuck = e.code() != VK_ERROR_DEVICE_LOST;
      throw e;
    }
  }

  /** Round by round, so that ranks may share a queue. */
  private List<QueueBatch> batches(int active, Rhythm rhythm, Closing closing) {
    List<List<Step>> ofQueue = new ArrayList<>();
    for (int q = 0; q < sites.queues(); q++) {
      ofQueue.add(new ArrayList<>());
    }
    for (int round = 0; round < WaitRhythms.ROUNDS; round++) {
      for (int rank = 0; rank < active; rank++) {
        List<SemaphoreWait> waits = new ArrayList<>();
        if (rank == 0 && round == 0) {
          waits.add(wait(rank, new PeerRound(gateIndex(), 1), gate.handle()));
        }
        for (PeerRound wait : rhythm.waits(rank, round)) {
          waits.add(wait(rank, wait, lanes.semaphore(rank, wait.peer())));
        }
        Step step = new Step(rank, round + 1, List.of(new Signal(rank, round + 1)), null, waits);
        ofQueue.get(sites.of(rank).queueIndex()).add(step);
      }
    }
    List<QueueBatch> batches = new ArrayList<>();
    for (List<Step> steps : ofQueue) {
      if (!steps.isEmpty()) {
        Site site = sites.of(steps.get(0).rank());
        batches.add(closing.keep(new QueueBatch(site, lanes, steps, false)));
      }
    }
    return batches;
  }

  /** Where the gate's value lies: after those of the lanes. */
  private int gateIndex() {
    return ranks;
  }

  private static SemaphoreWait wait(int rank, PeerRound wait, long semaphore) {
    PeerWait need = new PeerWait(wait.peer(), wait.rounds(), false);
    return new SemaphoreWait(wait.peer(), semaphore, List.of(new RankNeed(rank, need)));
  }

  /**
   * @throws BackendException if devices still work for it: nothing can be freed then
   */
  @Override
  public void close() {
    if (stuck) {
      throw new BackendException("devices still wait; what they wait with could not be freed");
    }
    SharedInstance.closed(this);
    sites.drain();
    made.close();
  }
}
