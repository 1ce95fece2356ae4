package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.VK_NULL_HANDLE;
import static org.lwjgl.vulkan.VK10.vkQueueSubmit;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldTable;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Submission;
import org.allreducelab.backends.vulkan.FoldPipelines.Bound;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/** A rank's part of a program as command buffers: each is submitted, and waited for. */
final class RankWork implements RankDevice.Work {
  private final LogicalDevice device;
  private final long deadlineNs;
  private final Closing made;

  /** By submission of the program; null where it is another rank's or has no kernels. */
  private final List<@Nullable VkCommandBuffer> commands = new ArrayList<>();

  private final Timeline done;
  private final Watch watch;
  private final PointerBuffer command = MemoryUtil.memCallocPointer(1);
  private final LongBuffer semaphore = MemoryUtil.memCallocLong(1);
  private final LongBuffer value = MemoryUtil.memCallocLong(1);
  private final VkTimelineSemaphoreSubmitInfo values =
      VkTimelineSemaphoreSubmitInfo.calloc().sType$Default();
  private final VkSubmitInfo submit = VkSubmitInfo.calloc().sType$Default();
  private long submitted;

  RankWork(
      int rank,
      Program program,
      LogicalDevice device,
      FoldPipelines pipelines,
      RegionAddresses memory,
      List<Long> writtenByPeers,
      Transfers transfers,
      long deadlineNs) {
    this.device = device;
    this.deadlineNs = deadlineNs;
    int most = device.facts().foldWorkGroups();
    FoldTable<Bound> table = new FoldTable<>(pipelines.on(memory), most);
    List<List<List<FoldTable.Dispatch<Bound>>>> dispatches = new ArrayList<>();
    for (Submission s : program.submissions()) {
      List<List<FoldTable.Dispatch<Bound>>> ofKernels = new ArrayList<>();
      for (Kernel kernel : s.rank() == rank ? s.kernels() : List.<Kernel>of()) {
        ofKernels.add(
            table.add(rank, kernel, n -> FoldShape.of(program.precision(), program.count(), n)));
      }
      dispatches.add(ofKernels);
    }
    try (Closing closing = new Closing()) {
      byte[] bytes = table.bytes();
      DeviceBuffer records = closing.keep(DeviceBuffer.local(device, bytes.length));
      transfers.write(device.queue(0), records, 0, bytes);
      CommandPool pool = closing.keep(new CommandPool(device));
      Commands to = new Commands(device, true);
      for (List<List<FoldTable.Dispatch<Bound>>> ofKernels : dispatches) {
        commands.add(
            ofKernels.isEmpty()
                ? null
                : record(
                    to,
                    to.begin(pool),
                    writtenByPeers,
                    pipelines.layout(),
                    records.address(),
                    ofKernels));
      }
      done = closing.keep(Timeline.plain(device));
      watch = closing.keep(new Watch(done));
      made = closing.handOver();
    }
    semaphore.put(0, done.handle());
    values.pSignalSemaphoreValues(value);
    submit.pNext(values).pCommandBuffers(command).pSignalSemaphores(semaphore);
  }

  private static VkCommandBuffer record(
      Commands to,
      VkCommandBuffer buffer,
      List<Long> writtenByPeers,
      long layout,
      long table,
      List<List<FoldTable.Dispatch<Bound>>> kernels) {
    to.acquireForeign(buffer, writtenByPeers);
    to.acquire(buffer);
    for (int i = 0; i < kernels.size(); i++) {
      if (i > 0) {
        to.between(buffer);
      }
      to.dispatch(buffer, layout, table, kernels.get(i));
    }
    to.end(buffer);
    return buffer;
  }

  @Override
  public void run(int submission) {
    VkCommandBuffer work = commands.get(submission);
    if (work == null) {
      return;
    }
    command.put(0, work);
    value.put(0, ++submitted);
    check(vkQueueSubmit(device.queue(0), submit, VK_NULL_HANDLE), "vkQueueSubmit", device.name());
    if (!watch.await(submitted, deadlineNs)) {
      throw new BackendException(device.name() + " did not finish a submission by the deadline");
    }
  }

  @Override
  public void close() {
    device.drain();
    made.close();
    submit.free();
    values.free();
    MemoryUtil.memFree(command);
    MemoryUtil.memFree(semaphore);
    MemoryUtil.memFree(value);
  }
}
