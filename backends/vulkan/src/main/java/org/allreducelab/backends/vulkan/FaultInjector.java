package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.*;

import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.lowering.GroupClock;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;

/** Leaves out the submissions of a stalled rank, and flips a bit of slot memory, as a test asks. */
final class FaultInjector implements AutoCloseable {
  private static final String KIND = "vulkan fault injector";
  private static final int PUSH_BYTES = 12;
  private static final String FLIP =
      """
      #version 460
      #extension GL_EXT_buffer_reference : require
      #extension GL_EXT_buffer_reference_uvec2 : require
      layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
      layout(push_constant) uniform Push { uvec2 word; uint mask; } push;
      void main() {
        Words words = Words(push.word);
        words.at[0] ^= push.mask;
      }
      """;

  private final FaultPlan plan;
  private final Sites sites;
  private final GroupMemory memory;
  private final CommandPool pool;
  private final long layout;
  private final long pipeline;
  private boolean queueStopped;
  private boolean closed;

  FaultInjector(FaultPlan plan, Sites sites, GroupMemory memory, GlslCompiler compiler) {
    this.plan = plan;
    this.sites = sites;
    this.memory = memory;
    LogicalDevice device = device();
    pool = new CommandPool(device);
    layout = ComputePipeline.layout(device, PUSH_BYTES);
    pipeline = ComputePipeline.create(device, layout, compiler.compile(FLIP, "flip"), null);
    LiveObjects.opened(KIND);
  }

  private LogicalDevice device() {
    FaultPlan.BitFlip flip = plan.bitFlip();
    return sites.of(flip == null ? 0 : flip.rank()).device();
  }

  /** Starts a batch of one step, unless its rank has stopped. */
  void submit(QueueBatch batch, GroupClock clock, long[] progress) {
    Step step = batch.only();
    long index = clock.base(step.rank()) + step.value() - 1;
    FaultPlan.Stall stall = plan.stall();
    if (stall != null && stall.rank() == step.rank() && index >= stall.submission()) {
      // A queue that all ranks share stops with the rank: it executes in order.
      queueStopped = progress.length < sites.ranks();
      return;
    }
    if (queueStopped) {
      return;
    }
    FaultPlan.BitFlip flip = plan.bitFlip();
    DeviceBuffer slots = flip == null ? null : memory.slots(flip.rank());
    if (flip != null
        && slots != null
        && flip.rank() == step.rank()
        && flip.submission() == index
        && flip.byteOffset() < slots.bytes()) {
      batch.submitWith(flipping(flip, slots), clock, progress);
    } else {
      batch.submit(clock, progress);
    }
  }

  private VkCommandBuffer flipping(FaultPlan.BitFlip flip, DeviceBuffer slots) {
    Commands commands = new Commands(device(), false);
    VkCommandBuffer buffer = commands.begin(pool);
    commands.acquire(buffer);
    vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    long word = slots.address() + (flip.byteOffset() & -4);
    int mask = 1 << (8 * (int) (flip.byteOffset() & 3) + flip.bit());
    try (MemoryStack stack = MemoryStack.stackPush()) {
      vkCmdPushConstants(
          buffer,
          layout,
          VK_SHADER_STAGE_COMPUTE_BIT,
          0,
          stack.ints((int) word, (int) (word >>> 32), mask));
    }
    vkCmdDispatch(buffer, 1, 1, 1);
    commands.end(buffer);
    return buffer;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      vkDestroyPipeline(device().handle(), pipeline, null);
      vkDestroyPipelineLayout(device().handle(), layout, null);
      pool.close();
      LiveObjects.closed(KIND);
    }
  }
}
