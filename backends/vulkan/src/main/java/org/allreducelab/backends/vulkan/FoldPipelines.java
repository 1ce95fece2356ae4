package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.*;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.kernels.FoldKernels;
import org.allreducelab.backends.kernels.FoldVariant;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Region;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;

/** The fold kernels of one logical device, made when first needed. */
final class FoldPipelines implements AutoCloseable {
  /** Invocations of a work group, where the device can. */
  private static final int WORK_GROUP = 256;

  /** Two words: the address of the fold records. */
  static final int PUSH_BYTES = 8;

  private final LogicalDevice device;
  private final KernelTraits traits;
  private final GlslCompiler compiler;
  private final int workGroup;
  private final Map<FoldVariant, Long> pipelines = new HashMap<>();
  private final long layout;
  private boolean closed;

  FoldPipelines(LogicalDevice device, KernelTraits traits, GlslCompiler compiler) {
    this.device = device;
    this.traits = traits;
    this.compiler = compiler;
    workGroup = Math.min(WORK_GROUP, device.facts().maxWorkGroupSize());
    layout = ComputePipeline.layout(device, PUSH_BYTES);
  }

  long layout() {
    return layout;
  }

  /**
   * A pipeline, and the addresses that its records hold.
   *
   * @param pipeline its handle
   * @param memory where regions lie
   * @param reader the rank that executes it
   */
  record Bound(long pipeline, RegionAddresses memory, int reader) implements FoldKernels.Binding {
    @Override
    public long address(Region region) {
      return memory.address(reader, region);
    }
  }

  /** These kernels on some memory. */
  FoldKernels<Bound> on(RegionAddresses memory) {
    return new FoldKernels<>() {
      @Override
      public int stepsPerGroup() {
        return workGroup;
      }

      @Override
      public Bound bind(int reader, FoldVariant variant, List<Fold> folds) {
        return new Bound(get(variant), memory, reader);
      }
    };
  }

  KernelTraits traits() {
    return traits;
  }

  /** The pipeline of a variant. */
  long get(FoldVariant of) {
    boolean word = FoldSource.readsWord(of.shape(), traits);
    FoldVariant variant = word ? of.unspecialised() : of;
    Long present = pipelines.get(variant);
    if (present != null) {
      return present;
    }
    long made = create(variant);
    pipelines.put(variant, made);
    return made;
  }

  private long create(FoldVariant variant) {
    String text = FoldSource.text(variant.shape(), traits);
    byte[] spirv = compiler.compile(text, variant.shape().toString());
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return ComputePipeline.create(device, layout, spirv, constants(variant, stack));
    }
  }

  /** Constant 0: work group size; 1: publishes; 2: to wire; from 3 on the operands' kinds. */
  private VkSpecializationInfo constants(FoldVariant variant, MemoryStack stack) {
    int count = 3 + variant.kinds().size();
    ByteBuffer data = stack.malloc(4 * count);
    data.putInt(workGroup)
        .putInt(variant.publishes() ? VK_TRUE : VK_FALSE)
        .putInt(variant.toWire() ? VK_TRUE : VK_FALSE);
    variant.kinds().forEach(kind -> data.putInt(kind.constant()));
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
    }
  }
}
