package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.*;

import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;

/** Copies words from one address to another; 16 bytes at a time where both are aligned so. */
final class CopyKernel implements AutoCloseable {
  private static final String KIND = "vulkan copy kernel";
  private static final int PUSH_BYTES = 24;

  /** Every device has at least 128 invocations in a group, and 65535 groups. */
  private static final int GROUP_SIZE = 128;

  private static final int MAX_GROUPS = 8192;
  private static final String TEXT =
      """
      #version 460
      #extension GL_EXT_buffer_reference : require
      #extension GL_EXT_buffer_reference_uvec2 : require
      layout(local_size_x = 128) in;
      layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
      layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quads { uvec4 at[]; };
      layout(push_constant) uniform Push { uvec2 from; uvec2 to; uint words; uint threads; } push;
      void main() {
        uint first = gl_GlobalInvocationID.x;
        uint done = 0u;
        if (((push.from.x | push.to.x) & 15u) == 0u) {
          Quads quadsFrom = Quads(push.from);
          Quads quadsTo = Quads(push.to);
          uint quads = push.words / 4u;
          for (uint i = first; i < quads; i += push.threads) {
            quadsTo.at[i] = quadsFrom.at[i];
          }
          done = quads * 4u;
        }
        Words wordsFrom = Words(push.from);
        Words wordsTo = Words(push.to);
        for (uint i = done + first; i < push.words; i += push.threads) {
          wordsTo.at[i] = wordsFrom.at[i];
        }
      }
      """;

  private final LogicalDevice device;
  private final long layout;
  private final long pipeline;
  private boolean closed;

  CopyKernel(LogicalDevice device, GlslCompiler compiler) {
    this.device = device;
    byte[] spirv = compiler.compile(TEXT, "probe-copy");
    layout = ComputePipeline.layout(device, PUSH_BYTES);
    try {
      pipeline = ComputePipeline.create(device, layout, spirv, null);
    } catch (RuntimeException e) {
      vkDestroyPipelineLayout(device.handle(), layout, null);
      throw e;
    }
    LiveObjects.opened(KIND);
  }

  /**
   * Writes a copy into a command buffer.
   *
   * @param from address, a multiple of 4
   * @param to address, a multiple of 4
   * @param bytes a multiple of 4, less than 16 GiB
   */
  void dispatch(VkCommandBuffer commands, long from, long to, long bytes) {
    long words = bytes / 4;
    int groups = (int) Math.min(MAX_GROUPS, (words / 4 + GROUP_SIZE) / GROUP_SIZE);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vkCmdPushConstants(
          commands,
          layout,
          VK_SHADER_STAGE_COMPUTE_BIT,
          0,
          stack.ints(
              (int) from,
              (int) (from >>> 32),
              (int) to,
              (int) (to >>> 32),
              (int) words,
              groups * GROUP_SIZE));
      vkCmdDispatch(commands, groups, 1, 1);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      vkDestroyPipeline(device.handle(), pipeline, null);
      vkDestroyPipelineLayout(device.handle(), layout, null);
      LiveObjects.closed(KIND);
    }
  }
}
