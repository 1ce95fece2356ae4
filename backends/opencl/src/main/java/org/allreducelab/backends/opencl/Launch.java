package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.clReleaseKernel;
import static org.lwjgl.opencl.CL10.clSetKernelArg1l;
import static org.lwjgl.opencl.CL10.clSetKernelArg1p;

import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.kernels.FoldTable;
import org.lwjgl.system.MemoryUtil;

/** A kernel with its arguments set once and its range, to be enqueued any number of times. */
final class Launch implements AutoCloseable {
  private static final String SET = "clSetKernelArg";
  private static final int FIXED_ARGUMENTS = 2;

  private final long kernel;

  /** Global size x and y, local size x and y. */
  private final long range;

  private boolean closed;

  Launch(
      DeviceContext context,
      FoldPrograms programs,
      FoldTable.Dispatch<KernelBinding> dispatch,
      DeviceBuffer table) {
    KernelBinding binding = dispatch.binding();
    int arguments = programs.arguments(binding.buffers().size());
    long most = context.device().facts().maxParameterBytes();
    long needed = 8L * (FIXED_ARGUMENTS + arguments);
    if (needed > most) {
      throw new BackendException(
          "a kernel over %d buffers needs %d bytes of arguments, %s takes %d; use fewer ranks, or an"
                  .formatted(binding.buffers().size(), needed, context.label(), most)
              + " algorithm in which a rank reads fewer peers at once");
    }
    kernel = programs.kernel(binding.variant(), arguments);
    range = MemoryUtil.nmemAllocChecked(4L * Long.BYTES);
    MemoryUtil.memPutLong(range, (long) dispatch.groups() * programs.workGroup());
    MemoryUtil.memPutLong(range + 8, dispatch.folds());
    MemoryUtil.memPutLong(range + 16, programs.workGroup());
    MemoryUtil.memPutLong(range + 24, 1);
    try {
      context.mayFail(SET);
      context.check(clSetKernelArg1p(kernel, 0, table.handle()), SET);
      context.check(clSetKernelArg1l(kernel, 1, dispatch.tableOffset()), SET);
      List<DeviceBuffer> buffers = binding.buffers();
      for (int i = 0; i < arguments; i++) {
        DeviceBuffer buffer = buffers.get(i < buffers.size() ? i : 0);
        context.check(clSetKernelArg1p(kernel, FIXED_ARGUMENTS + i, buffer.handle()), SET);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Enqueues it.
   *
   * @param count number of events to wait for
   * @param events their addresses in native memory
   * @param event where its event goes, or 0 for none
   */
  void enqueue(CommandQueue queue, int count, long events, long event) {
    queue.kernel(kernel, 2, range, range + 16, count, events, event);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      MemoryUtil.nmemFree(range);
      clReleaseKernel(kernel);
    }
  }
}
