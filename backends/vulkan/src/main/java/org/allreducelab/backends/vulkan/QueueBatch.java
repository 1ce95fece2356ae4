package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.VK_NULL_HANDLE;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
import static org.lwjgl.vulkan.VK10.vkQueueSubmit;

import java.util.List;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.StreamStep.RankNeed;
import org.allreducelab.backends.vulkan.Step.SemaphoreWait;
import org.allreducelab.backends.vulkan.Step.Signal;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/**
 * Steps of one queue that one vkQueueSubmit starts. Timelines may be waited for before they are
 * signalled, so all of a queue's steps of an invocation go in one call.
 *
 * <p>The structures are written once; an invocation overwrites timeline values and the number of
 * waits that are still due.
 */
final class QueueBatch implements AutoCloseable {
  private static final String KIND = "vulkan batch";

  private final VkQueue queue;
  private final String device;
  private final LogicalDevice owner;
  private final Lanes lanes;
  private final Step[] steps;
  private final SemaphoreWait[][] waits;
  private final VkSubmitInfo.Buffer submits;
  private final VkTimelineSemaphoreSubmitInfo.Buffer values;
  private final long[] waitSemaphores;
  private final long[] waitValues;
  private final long[] signalValues;
  private final long[] commands;
  private final long block;
  private boolean closed;

  /**
   * @param timed whether a wait must hold back everything, timestamps too, and not just kernels
   */
  QueueBatch(Site site, Lanes lanes, List<Step> steps, boolean timed) {
    queue = site.queue();
    owner = site.device();
    device = owner.name();
    this.lanes = lanes;
    this.steps = steps.toArray(Step[]::new);
    int n = this.steps.length;
    waits = new SemaphoreWait[n][];
    waitSemaphores = new long[n];
    waitValues = new long[n];
    signalValues = new long[n];
    commands = new long[n];
    long bytes = 0;
    for (int i = 0; i < n; i++) {
      waits[i] = this.steps[i].waits().toArray(SemaphoreWait[]::new);
      bytes += 16 + 16L * this.steps[i].signals().size() + 24L * waits[i].length;
    }
    block = MemoryUtil.nmemCallocChecked(1, bytes);
    submits = VkSubmitInfo.calloc(n);
    values = VkTimelineSemaphoreSubmitInfo.calloc(n);
    long at = block;
    for (int i = 0; i < n; i++) {
      at = layOut(i, at, lanes, timed);
    }
    LiveObjects.opened(KIND);
  }

  /** Per step: two commands, signal semaphores and values, then wait semaphores, values, stages. */
  private long layOut(int i, long at, Lanes lanes, boolean timed) {
    int n = waits[i].length;
    Step step = steps[i];
    commands[i] = at;
    int signalCount = step.signals().size();
    long signals = at + 16;
    signalValues[i] = signals + 8L * signalCount;
    waitSemaphores[i] = signalValues[i] + 8L * signalCount;
    waitValues[i] = waitSemaphores[i] + 8L * n;
    long stages = waitValues[i] + 8L * n;
    VkCommandBuffer work = step.commands();
    int stage =
        work == null || timed
            ? VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
            : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    for (int w = 0; w < n; w++) {
      MemoryUtil.memPutInt(stages + 4L * w, stage);
    }
    if (work != null) {
      MemoryUtil.memPutAddress(commands[i], work.address());
    }
    for (int k = 0; k < signalCount; k++) {
      MemoryUtil.memPutLong(signals + 8L * k, lanes.own(step.signals().get(k).lane()));
    }
    long submit = submits.address(i);
    submits.get(i).sType$Default().pNext(values.get(i).sType$Default());
    VkSubmitInfo.ncommandBufferCount(submit, work == null ? 0 : 1);
    MemoryUtil.memPutAddress(submit + VkSubmitInfo.PCOMMANDBUFFERS, commands[i]);
    MemoryUtil.memPutAddress(submit + VkSubmitInfo.PWAITSEMAPHORES, waitSemaphores[i]);
    MemoryUtil.memPutAddress(submit + VkSubmitInfo.PWAITDSTSTAGEMASK, stages);
    VkSubmitInfo.nsignalSemaphoreCount(submit, signalCount);
    MemoryUtil.memPutAddress(submit + VkSubmitInfo.PSIGNALSEMAPHORES, signals);
    long value = values.address(i);
    MemoryUtil.memPutAddress(
        value + VkTimelineSemaphoreSubmitInfo.PWAITSEMAPHOREVALUES, waitValues[i]);
    VkTimelineSemaphoreSubmitInfo.nsignalSemaphoreValueCount(value, signalCount);
    MemoryUtil.memPutAddress(
        value + VkTimelineSemaphoreSubmitInfo.PSIGNALSEMAPHOREVALUES, signalValues[i]);
    return stages + ((4L * n + 7) & -8);
  }

  /**
   * Starts the steps.
   *
   * @param clock what earlier invocations still read
   * @param progress per lane, its value when all earlier invocations are done
   */
  void submit(GroupClock clock, long[] progress) {
    for (int i = 0; i < steps.length; i++) {
      int count = 0;
      for (SemaphoreWait due : waits[i]) {
        long value = needed(due, clock, progress[due.peer()]);
        // What the host has seen reached needs no wait: each one costs time, satisfied or not.
        if (value > clock.seen(due.peer())) {
          MemoryUtil.memPutLong(waitSemaphores[i] + 8L * count, due.semaphore());
          MemoryUtil.memPutLong(waitValues[i] + 8L * count, value);
          count++;
        }
      }
      VkSubmitInfo.nwaitSemaphoreCount(submits.address(i), count);
      VkTimelineSemaphoreSubmitInfo.nwaitSemaphoreValueCount(values.address(i), count);
      List<Signal> signals = steps[i].signals();
      for (int k = 0; k < signals.size(); k++) {
        Signal signal = signals.get(k);
        long value = progress[signal.lane()] + signal.ordinal();
        MemoryUtil.memPutLong(signalValues[i] + 8L * k, value);
      }
    }
    owner.mayFail("vkQueueSubmit");
    check(vkQueueSubmit(queue, submits, VK_NULL_HANDLE), "vkQueueSubmit", device);
    for (Step step : steps) {
      List<Signal> signals = step.signals();
      for (int k = 0; k < signals.size(); k++) {
        int lane = signals.get(k).lane();
        lanes.submitted(lane, progress[lane] + signals.get(k).ordinal());
      }
    }
  }

  private static long needed(SemaphoreWait due, GroupClock clock, long start) {
    long value = 0;
    List<RankNeed> needs = due.needs();
    for (int k = 0; k < needs.size(); k++) {
      RankNeed one = needs.get(k);
      long late = clock.lateReader(one.rank(), due.peer());
      value = Math.max(value, one.need().needed(start, late));
    }
    return value;
  }

  /** The only step of a batch of one. */
  Step only() {
    return steps[0];
  }

  /** As {@link #submit}, for a batch of one, with further work after the step's own. */
  void submitWith(VkCommandBuffer more, GroupClock clock, long[] progress) {
    VkCommandBuffer own = steps[0].commands();
    int before = own == null ? 0 : 1;
    MemoryUtil.memPutAddress(commands[0] + 8L * before, more.address());
    VkSubmitInfo.ncommandBufferCount(submits.address(0), before + 1);
    submit(clock, progress);
    VkSubmitInfo.ncommandBufferCount(submits.address(0), before);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      submits.free();
      values.free();
      MemoryUtil.nmemFree(block);
      LiveObjects.closed(KIND);
    }
  }
}
