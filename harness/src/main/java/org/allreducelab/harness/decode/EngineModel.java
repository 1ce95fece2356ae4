package org.allreducelab.harness.decode;

import java.time.Duration;
import java.util.Set;
import org.allreducelab.algorithms.cost.DriverModel;
import org.jspecify.annotations.Nullable;

/**
 * How the engine around the all-reduces behaves.
 *
 * @param await when the host waits
 * @param computeNs how long a step computes, divided evenly over its all-reduces, each part before
 *     its all-reduce; 0 for not at all
 * @param driverModel a driver to emulate, or null
 * @param inactiveRanks ranks that contribute −0 and whose input is not read
 * @param memoryCapBytes the most staging memory that a rank may keep; {@link Long#MAX_VALUE} for no
 *     limit
 * @param rate steps that are due per second, whether or not earlier ones are done; 0 for the next
 *     one when the last one is done
 * @param deadline of every host wait
 */
record EngineModel(
    Await await,
    long computeNs,
    @Nullable DriverModel driverModel,
    Set<Integer> inactiveRanks,
    long memoryCapBytes,
    double rate,
    Duration deadline) {
  EngineModel {
    inactiveRanks = Set.copyOf(inactiveRanks);
  }
}
