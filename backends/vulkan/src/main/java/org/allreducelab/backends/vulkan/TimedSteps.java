package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.device.DeviceSpan;
import org.allreducelab.backends.device.DeviceTimes;
import org.allreducelab.backends.lowering.StreamStep;

/**
 * The steps that a recording times, and what their timestamps mean.
 *
 * <p>Each step has two timestamps, its start and its end, among those of its device, in the order
 * of recording. It counts for its stream, whichever ranks are in it: those of a stream share a
 * queue, so what one does the others wait for.
 */
final class TimedSteps {
  private final int streams;
  private final List<Counter> counters;
  private final List<List<Integer>> streamsOfSteps = new ArrayList<>();

  /**
   * What a device's timestamps count.
   *
   * @param validBits 1 to 64; the others mean nothing
   */
  record Counter(int validBits, double nsPerTick) {}

  /** The timestamps of an invocation. */
  interface Ticks {
    /** One of a device, by its place. */
    long at(int device, int timestamp);
  }

  /**
   * @param streams how many there are at most, on all devices together
   * @param counters one per device
   */
  TimedSteps(int streams, List<Counter> counters) {
    this.streams = streams;
    this.counters = List.copyOf(counters);
    counters.forEach(counter -> streamsOfSteps.add(new ArrayList<>()));
  }

  /**
   * Adds a step of a device.
   *
   * @return the place of its start; its end is the next
   */
  int add(int device, StreamStep step) {
    int start = timestamps(device);
    streamsOfSteps.get(device).add(step.stream());
    return start;
  }

  /** How many timestamps a device has so far. */
  int timestamps(int device) {
    return 2 * streamsOfSteps.get(device).size();
  }

  /** What an invocation took: of devices the longest, since their clocks do not compare. */
  DeviceTimes times(Ticks ticks) {
    DeviceTimes longest = DeviceTimes.UNKNOWN;
    for (int d = 0; d < counters.size(); d++) {
      Counter counter = counters.get(d);
      DeviceSpan span = new DeviceSpan(streams, counter.validBits(), counter.nsPerTick());
      List<Integer> streamOfStep = streamsOfSteps.get(d);
      for (int i = 0; i < streamOfStep.size(); i++) {
        span.add(streamOfStep.get(i), ticks.at(d, 2 * i), ticks.at(d, 2 * i + 1));
      }
      longest = longest.longest(span.times());
    }
    return longest;
  }
}
