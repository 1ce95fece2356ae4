package org.allreducelab.backends.opencl;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.kernels.FoldKernels;
import org.allreducelab.backends.kernels.FoldVariant;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Source;
import org.allreducelab.backends.lowering.Space;

/**
 * A kernel's variant and the buffers that one dispatch of it reaches.
 *
 * @param variant which kernel
 * @param reader the rank that executes it
 * @param memory where regions lie
 * @param buffers its buffer arguments, without repetition
 */
record KernelBinding(FoldVariant variant, int reader, Buffers memory, List<DeviceBuffer> buffers)
    implements FoldKernels.Binding {

  /** Where regions lie. */
  interface Buffers {
    /** The buffer in which a region lies for a rank, at the region's own offset. */
    DeviceBuffer of(int reader, Region region);
  }

  static KernelBinding of(int reader, FoldVariant variant, List<Fold> folds, Buffers memory) {
    List<DeviceBuffer> buffers = new ArrayList<>();
    for (Fold fold : folds) {
      add(buffers, memory.of(reader, fold.destination()));
      Region publish = fold.publish();
      if (publish != null) {
        add(buffers, memory.of(reader, publish));
      }
      for (Source source : fold.sources()) {
        if (source.region().space() != Space.NEGATIVE_ZERO) {
          add(buffers, memory.of(reader, source.region()));
        }
      }
    }
    return new KernelBinding(variant, reader, memory, buffers);
  }

  private static void add(List<DeviceBuffer> buffers, DeviceBuffer buffer) {
    if (!buffers.contains(buffer)) {
      buffers.add(buffer);
    }
  }

  @Override
  public long address(Region region) {
    long buffer = buffers.indexOf(memory.of(reader, region));
    return buffer << FoldSource.BUFFER_SHIFT | region.byteOffset();
  }
}
