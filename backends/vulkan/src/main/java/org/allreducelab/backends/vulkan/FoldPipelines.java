package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.*;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.Map;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;

/** The fold kernels of one logical device, made when first needed. */
final class FoldPipelines implements AutoCloseable {
  private static final String KIND = "vulkan pipelines";

  /** Invocations of a work group, where the device can. */
  private static final int WORK_GROUP = 256;

  /** Two words: the address of the fold records. */
  static final int PUSH_BYTES = 8;

  private final LogicalDevice device;
  private final FloatModes modes;
  private final GlslCompiler compiler;
  private final int workGroup;
  private final Map<FoldVariant, Long> pipelines = new HashMap<>();
  private final long layout;
  private boolean closed;

  FoldPipelines(LogicalDevice device, FloatModes modes, GlslCompiler compiler) {
    this.device = device;
    this.modes = modes;
    this.compiler = compiler;
    workGroup = Math.min(WORK_GROUP, device.facts().maxWorkGroupSize());
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      VkPushConstantRange.Buffer push =
          VkPushConstantRange.calloc(1, stack)
              .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT)
              .size(PUSH_BYTES);
      check(
          vkCreatePipelineLayout(
              device.handle(),
              VkPipelineLayoutCreateInfo.calloc(stack).sType$Default().pPushConstantRanges(push),
              null,
              made),
          "vkCreatePipelineLayout",
          device.name());
      layout = made.get(0);
    }
    LiveObjects.opened(KIND);
  }

  long layout() {
    return layout;
  }

  /** Invocations of a work group. */
  int workGroup() {
    return workGroup;
  }

  FloatModes modes() {
    return modes;
  }

  /** The pipeline of a variant. */
  long get(FoldVariant variant) {
    Long present = pipelines.get(variant);
    if (present != null) {
      return present;
    }
    long made = create(variant);
    pipelines.put(variant, made);
    return made;
  }

  private long create(FoldVariant variant) {
    String text = FoldSource.text(variant.shape(), modes);
    byte[] spirv = compiler.compile(text, variant.shape().toString());
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
        return create(variant, module, stack);
      } finally {
        vkDestroyShaderModule(device.handle(), module, null);
      }
    } finally {
      MemoryUtil.memFree(code);
    }
  }

  private long create(FoldVariant variant, long module, MemoryStack stack) {
    VkComputePipelineCreateInfo.Buffer info =
        VkComputePipelineCreateInfo.calloc(1, stack).sType$Default().layout(layout);
    info.stage()
        .sType$Default()
        .stage(VK_SHADER_STAGE_COMPUTE_BIT)
        .module(module)
        .pName(stack.UTF8("main"))
        .pSpecializationInfo(constants(variant, stack));
    LongBuffer made = stack.mallocLong(1);
    check(
        vkCreateComputePipelines(device.handle(), VK_NULL_HANDLE, info, null, made),
        "vkCreateComputePipelines",
        device.name());
    return made.get(0);
  }

  /** Constant 0: work group size; 1: publishes; 2: to wire; from 3 on the operands' kinds. */
  private VkSpecializationInfo constants(FoldVariant variant, MemoryStack stack) {
    int count = 3 + variant.kinds().size();
    ByteBuffer data = stack.malloc(4 * count);
    data.putInt(workGroup)
        .putInt(variant.publishes() ? VK_TRUE : VK_FALSE)
        .putInt(variant.toWire() ? VK_TRUE : VK_FALSE);
    variant.kinds().forEach(kind -> data.putInt(kind.ordinal()));
    VkSpecializationMapEntry.Buffer entries = VkSpecializationMapEntry.calloc(count, stack);
    for (int i = 0; i < count; i++) {
      entries.get(i).constantID(i).offset(4 * i).size(4);
    }
    return VkSpecializationInfo.calloc(stack).pMapEntries(entries).pData(data.flip());
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      pipelines.values().forEach(p -> vkDestroyPipeline(device.handle(), p, null));
      vkDestroyPipelineLayout(device.handle(), layout, null);
      LiveObjects.closed(KIND);
    }
  }
}
