package org.allreducelab.backends.opencl;

import static org.allreducelab.backends.opencl.ErrorCode.check;
import static org.lwjgl.opencl.CL10.clEnqueueCopyBuffer;
import static org.lwjgl.opencl.CL10.clFinish;
import static org.lwjgl.opencl.CL10.nclEnqueueReadBuffer;
import static org.lwjgl.opencl.CL10.nclEnqueueWriteBuffer;

import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Engine;
import org.lwjgl.system.MemoryUtil;

/**
 * The way from one context to another, as {@link RankWork} goes it.
 *
 * <pre>
 *   writer                    host                   reader
 *   source ── ReadBuffer ──▶ bytes ── WriteBuffer ──▶ inbox ── an engine ──▶ target
 * </pre>
 */
final class HostWay implements AutoCloseable {
  private final CommandQueue writing;
  private final CommandQueue reading;
  private final DeviceBuffer source;
  private final DeviceBuffer inbox;
  private final DeviceBuffer target;
  private final CopyKernel kernel;
  private final long host;
  private final Closing made;

  HostWay(CommandQueue writing, CommandQueue reading, int bytes) {
    this.writing = writing;
    this.reading = reading;
    try (Closing closing = new Closing()) {
      source = closing.keep(new DeviceBuffer(writing.context(), bytes));
      inbox = closing.keep(new DeviceBuffer(reading.context(), bytes));
      target = closing.keep(new DeviceBuffer(reading.context(), bytes));
      kernel = closing.keep(new CopyKernel(reading));
      host = MemoryUtil.nmemAllocChecked(bytes);
      closing.keep(() -> MemoryUtil.nmemFree(host));
      made = closing.handOver();
    }
  }

  DeviceBuffer source() {
    return source;
  }

  DeviceBuffer inbox() {
    return inbox;
  }

  DeviceBuffer target() {
    return target;
  }

  /** Starts to read to the host. */
  void fetch(long offset, long bytes) {
    writing.enqueued(
        nclEnqueueReadBuffer(
            writing.handle(), source.handle(), 0, offset, bytes, host + offset, 0, 0, 0),
        "clEnqueueReadBuffer");
    writing.flush();
  }

  /** Waits for that, and starts to write to the reader. */
  void deliver(long offset, long bytes) {
    finish(writing);
    reading.enqueued(
        nclEnqueueWriteBuffer(
            reading.handle(), inbox.handle(), 0, offset, bytes, host + offset, 0, 0, 0),
        "clEnqueueWriteBuffer");
    reading.flush();
  }

  /** Starts to move on what the reader got. */
  void use(Engine engine, long offset, long bytes) {
    if (engine == Engine.KERNEL) {
      kernel.enqueue(inbox, target, offset, bytes);
    } else {
      reading.enqueued(
          clEnqueueCopyBuffer(
              reading.handle(), inbox.handle(), target.handle(), offset, offset, bytes, null, null),
          "clEnqueueCopyBuffer");
    }
    reading.flush();
  }

  /** Waits until the reader is done. */
  void arrive() {
    finish(reading);
  }

  private static void finish(CommandQueue queue) {
    check(clFinish(queue.handle()), "clFinish", queue.context().label());
  }

  @Override
  public void close() {
    made.close();
  }
}
