package org.allreducelab.backends.probe;

import org.jspecify.annotations.Nullable;

/**
 * How fast a mode was.
 *
 * @param alone while nothing else happens
 * @param bothWays while the writer reads at the same time, as fast as it can, what the reader wrote
 *     into memory of its own that it shares in the same way; null if that is not claimed
 * @param hopUs one device signals, the other has seen it: microseconds
 */
public record Speed(ReadRate alone, @Nullable ReadRate bothWays, double hopUs) {}
