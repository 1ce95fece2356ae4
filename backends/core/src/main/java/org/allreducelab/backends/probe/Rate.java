package org.allreducelab.backends.probe;

/**
 * How fast bytes go in one direction: payload bytes over the time that the host sees, in 1e9 bytes
 * a second.
 *
 * @param copyGbPerS by {@link Engine#COPY}
 * @param kernelGbPerS by {@link Engine#KERNEL}
 */
public record Rate(double copyGbPerS, double kernelGbPerS) {
  /** By the better engine. */
  public double best() {
    return Math.max(copyGbPerS, kernelGbPerS);
  }
}
