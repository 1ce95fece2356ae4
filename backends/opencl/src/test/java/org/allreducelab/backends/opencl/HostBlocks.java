package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_MEM_READ_WRITE;
import static org.lwjgl.opencl.CL10.CL_MEM_USE_HOST_PTR;
import static org.lwjgl.opencl.CL10.nclCreateBuffer;

import java.nio.ByteBuffer;
import org.allreducelab.backends.device.HostMemory;
import org.lwjgl.system.MemoryUtil;

/**
 * Stands in for device memory that contexts share: host memory, in which PoCL's kernels work. No
 * text promises that, and GPUs do otherwise.
 */
final class HostBlocks implements Sharing {
  private static final int PAGE = 4096;

  @Override
  public String obstacle(Device device) {
    return device.facts().isCpu() ? "" : device.label() + " is no processor";
  }

  @Override
  public String source(Device device) {
    return "memory of the host";
  }

  @Override
  public Blocks open(Device device) {
    return new Blocks() {
      @Override
      public Block make(long bytes) {
        long whole = DeviceBuffer.wholeAccesses(bytes);
        return new HostBlock(HostMemory.ofJvm(Math.toIntExact(whole), PAGE), bytes);
      }

      @Override
      public void close() {}
    };
  }

  private record HostBlock(HostMemory memory, long bytes) implements Block {
    @Override
    public DeviceBuffer in(DeviceContext context) {
      ByteBuffer host = memory.bytes();
      return new DeviceBuffer(
          context,
          bytes,
          "clCreateBuffer",
          code ->
              nclCreateBuffer(
                  context.handle(),
                  CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                  host.capacity(),
                  MemoryUtil.memAddress(host),
                  MemoryUtil.memAddress(code)));
    }

    @Override
    public boolean isExternal() {
      return false;
    }

    @Override
    public void close() {
      memory.close();
    }
  }
}
