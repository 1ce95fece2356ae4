package org.allreducelab.backends.probe;

/**
 * How fast the reader reads the shared memory: payload bytes over the time its host sees, in 1e9
 * bytes a second.
 *
 * @param copyGbPerS by {@link Engine#COPY}
 * @param kernelGbPerS by {@link Engine#KERNEL}
 */
public record ReadRate(double copyGbPerS, double kernelGbPerS) {
  /** By the better engine. */
  public double best() {
    return Math.max(copyGbPerS, kernelGbPerS);
  }
}
