package org.allreducelab.backends.probe;

/**
 * How fast a mode was.
 *
 * @param copyGbPerS the reader reads the shared memory by {@link Engine#COPY}: payload bytes over
 *     the time its host sees, in 1e9 bytes a second
 * @param kernelGbPerS the same by {@link Engine#KERNEL}
 * @param hopUs one device signals, the other has seen it: microseconds
 */
public record Speed(double copyGbPerS, double kernelGbPerS, double hopUs) {}
