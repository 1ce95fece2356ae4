package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_COMPLETE;
import static org.lwjgl.opencl.CL10.CL_EVENT_COMMAND_EXECUTION_STATUS;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.clReleaseEvent;
import static org.lwjgl.opencl.CL10.nclGetEventInfo;

import java.util.Arrays;
import org.allreducelab.backends.DriverException;
import org.lwjgl.system.MemoryUtil;

/**
 * The events of a lane since the last wait for everything, by the lane's value when each is
 * complete. Events are used once; they are released when all are complete. Grows to the most ever
 * in flight, then allocates nothing.
 */
final class EventLog implements AutoCloseable {
  private final DeviceContext context;
  private final long status = MemoryUtil.nmemAllocChecked(Integer.BYTES);
  private long[] events = new long[64];
  private boolean[] owned = new boolean[64];
  private int size;

  /** The value up to which everything was complete when the log was cleared last. */
  private long start;

  EventLog(DeviceContext context) {
    this.context = context;
  }

  /**
   * Notes the next value's event.
   *
   * @param event 0 if nobody will ask for it
   */
  void add(long event) {
    add(event, event != 0);
  }

  /** As {@link #add(long)}, for an event that somebody else releases, later than this. */
  void addBorrowed(long event) {
    add(event, false);
  }

  /** The next value is reached when the one before it is. */
  void addNothing() {
    add(size == 0 ? 0 : events[size - 1], false);
  }

  private void add(long event, boolean isOwned) {
    if (size == events.length) {
      events = Arrays.copyOf(events, 2 * size);
      owned = Arrays.copyOf(owned, 2 * size);
    }
    events[size] = event;
    owned[size] = isOwned;
    size++;
  }

  /** What is complete when the lane has reached a value; 0 where it has already. */
  long at(long value) {
    return value <= start ? 0 : events[(int) (value - start) - 1];
  }

  /** How many are kept. */
  int size() {
    return size;
  }

  /** Whether the last of them is complete. */
  boolean isComplete() {
    return size == 0 || isComplete(events[size - 1]);
  }

  /** The value that the lane has certainly reached. */
  long reached() {
    for (int i = size - 1; i >= 0; i--) {
      if (events[i] != 0 && isComplete(events[i])) {
        return start + i + 1;
      }
    }
    return start;
  }

  /**
   * @throws DriverException if the command ended abnormally
   */
  private boolean isComplete(long event) {
    if (event == 0) {
      return true;
    }
    context.mayFail("clGetEventInfo");
    context.check(
        nclGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, Integer.BYTES, status, 0),
        "clGetEventInfo");
    int code = MemoryUtil.memGetInt(status);
    context.check(Math.min(code, CL_SUCCESS), "a command that was executed");
    return code == CL_COMPLETE;
  }

  /** Everything is complete. */
  void clear() {
    for (int i = 0; i < size; i++) {
      if (owned[i]) {
        clReleaseEvent(events[i]);
      }
    }
    start += size;
    size = 0;
  }

  @Override
  public void close() {
    clear();
    MemoryUtil.nmemFree(status);
  }
}
