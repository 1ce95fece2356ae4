package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.*;

import java.nio.IntBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** Copies words from one buffer to another, at the same offset in both. */
final class CopyKernel implements AutoCloseable {
  private static final String TEXT =
      """
      kernel void copy_words(global const uint *from, global uint *to, ulong first) {
        size_t i = first + get_global_id(0);
        to[i] = from[i];
      }
      """;

  private final CommandQueue queue;
  private final long program;
  private final long kernel;
  private boolean closed;

  CopyKernel(CommandQueue queue) {
    this.queue = queue;
    DeviceContext context = queue.context();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      program =
          context.check(
              clCreateProgramWithSource(context.handle(), TEXT, code),
              code,
              "clCreateProgramWithSource");
      long device = context.device().handle();
      int built =
          SignalHandlers.keptDuring(
              () -> clBuildProgram(program, device, FoldPrograms.OPTIONS, null, 0));
      context.check(built, "clBuildProgram");
      kernel = context.check(clCreateKernel(program, "copy_words", code), code, "clCreateKernel");
    }
  }

  /**
   * Enqueues a copy.
   *
   * @param offset a multiple of 4
   * @param bytes a positive multiple of 4
   */
  void enqueue(DeviceBuffer from, DeviceBuffer to, long offset, long bytes) {
    DeviceContext context = queue.context();
    context.check(clSetKernelArg1p(kernel, 0, from.handle()), "clSetKernelArg");
    context.check(clSetKernelArg1p(kernel, 1, to.handle()), "clSetKernelArg");
    context.check(clSetKernelArg1l(kernel, 2, offset / 4), "clSetKernelArg");
    try (MemoryStack stack = MemoryStack.stackPush()) {
      long size = MemoryUtil.memAddress(stack.pointers(bytes / 4));
      queue.kernel(kernel, 1, size, 0, 0, 0, 0);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      clReleaseKernel(kernel);
      clReleaseProgram(program);
    }
  }
}
