package org.allreducelab.backends.vulkan;

import org.allreducelab.backends.lowering.Region;

/** Where regions lie. */
interface RegionAddresses {
  /** The address of a region's first element in kernels of a reader's (or the owner's) device. */
  long address(int reader, Region region);
}
