package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.*;

import java.nio.ByteBuffer;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * Copies words from one address to another; 16 bytes at a time where both are aligned so. Of two
 * copies in one dispatch the work groups take turns, so that both go on from start to end.
 */
final class CopyKernel implements AutoCloseable {
  private static final String KIND = "vulkan copy kernel";
  private static final int PUSH_BYTES = 40;

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
      layout(push_constant) uniform Push {
        uvec2 from[2]; uvec2 to[2]; uint words; uint threads;
      } push;
      void main() {
        uvec2 from = push.from[gl_WorkGroupID.x];
        uvec2 to = push.to[gl_WorkGroupID.x];
        uint first = gl_WorkGroupID.y * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
        uint done = 0u;
        if (((from.x | to.x) & 15u) == 0u) {
          Quads quadsFrom = Quads(from);
          Quads quadsTo = Quads(to);
          uint quads = push.words / 4u;
          for (uint i = first; i < quads; i += push.threads) {
            quadsTo.at[i] = quadsFrom.at[i];
          }
          done = quads * 4u;
        }
        Words wordsFrom = Words(from);
        Words wordsTo = Words(to);
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
   * @param bytes a multiple of 4, less than 16 GiB
   */
  void dispatch(VkCommandBuffer commands, Way way, long bytes) {
    dispatch(commands, 1, way, way, bytes);
  }

  /** Writes two copies that nothing orders into a command buffer, of {@code bytes} each. */
  void dispatchBoth(VkCommandBuffer commands, Way one, Way other, long bytes) {
    dispatch(commands, 2, one, other, bytes);
  }

  /**
   * From where to where.
   *
   * @param from address, a multiple of 4
   * @param to address, a multiple of 4
   */
  record Way(long from, long to) {}

  private void dispatch(VkCommandBuffer commands, int ways, Way one, Way other, long bytes) {
    long words = bytes / 4;
    int groups = (int) Math.min(MAX_GROUPS, (words / 4 + GROUP_SIZE) / GROUP_SIZE);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      ByteBuffer push = stack.malloc(PUSH_BYTES);
      push.putLong(one.from()).putLong(other.from()).putLong(one.to()).putLong(other.to());
      push.putInt((int) words).putInt(groups * GROUP_SIZE).flip();
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, push);
      // x runs fastest: neighbours in launch order belong to different copies.
      vkCmdDispatch(commands, ways, groups, 1);
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
