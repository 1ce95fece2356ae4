package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.*;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;

/** Makes pipelines of kernels whose only interface is push constants. */
final class ComputePipeline {
  private ComputePipeline() {}

  /** A layout of {@code pushBytes} of push constants; the caller destroys it. */
  static long layout(LogicalDevice device, int pushBytes) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      VkPushConstantRange.Buffer push =
          VkPushConstantRange.calloc(1, stack)
              .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT)
              .size(pushBytes);
      check(
          vkCreatePipelineLayout(
              device.handle(),
              VkPipelineLayoutCreateInfo.calloc(stack).sType$Default().pPushConstantRanges(push),
              null,
              made),
          "vkCreatePipelineLayout",
          device.name());
      return made.get(0);
    }
  }

  /** A pipeline; the caller destroys it. */
  static long create(
      LogicalDevice device, long layout, byte[] spirv, @Nullable VkSpecializationInfo constants) {
    ByteBuffer code = MemoryUtil.memAlloc(spirv.length).put(spirv).flip();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      check(
          vkCreateShaderModule(
              device.handle(),
              VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(code),
              null,
              made),
          "vkCreateShaderModule",
          device.name());
      long module = made.get(0);
      try {
        VkComputePipelineCreateInfo.Buffer info =
            VkComputePipelineCreateInfo.calloc(1, stack).sType$Default().layout(layout);
        info.stage()
            .sType$Default()
            .stage(VK_SHADER_STAGE_COMPUTE_BIT)
            .module(module)
            .pName(stack.UTF8("main"))
            .pSpecializationInfo(constants);
        check(
            vkCreateComputePipelines(
                device.handle(), device.pipelineCache().use(), info, null, made),
            "vkCreateComputePipelines",
            device.name());
        return made.get(0);
      } finally {
        vkDestroyShaderModule(device.handle(), module, null);
      }
    } finally {
      MemoryUtil.memFree(code);
    }
  }
}
