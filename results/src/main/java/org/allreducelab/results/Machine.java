package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The machine, as it was when the run started.
 *
 * @param os name of the operating system
 * @param kernel its version
 * @param cpuModel model name of the processor
 * @param cores logical processors the JVM may use
 * @param memoryBytes physical memory
 * @param cpuGovernor frequency governor, if the system tells
 * @param loadAverage runnable processes, averaged over the minute before the run, if known
 */
public record Machine(
    String os,
    String kernel,
    String cpuModel,
    int cores,
    long memoryBytes,
    @Nullable String cpuGovernor,
    @Nullable Double loadAverage) {

  /**
   * @throws IllegalArgumentException if there is no core or a negative memory
   */
  public Machine {
    requireNonNull(os, "os");
    requireNonNull(kernel, "kernel");
    requireNonNull(cpuModel, "cpuModel");
    if (cores < 1 || memoryBytes < 0) {
      throw new IllegalArgumentException("cores must be at least 1 and memoryBytes at least 0");
    }
  }
}
