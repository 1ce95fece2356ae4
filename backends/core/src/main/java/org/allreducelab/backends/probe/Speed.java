package org.allreducelab.backends.probe;

import org.jspecify.annotations.Nullable;

/**
 * How fast a mode was.
 *
 * @param alone the reader reads while nothing else happens
 * @param bothRead the reader reads while the writer reads as much of what the reader wrote into
 *     memory of its own that it shares in the same way; null if that is not claimed
 * @param bothWays each side writes to its own shared memory and reads as much of the other's, all
 *     at once: what a staged all-reduce needs of a link; null where the transport stages nothing,
 *     or the way back is not claimed
 * @param hopUs one device signals, the other has seen it: microseconds
 */
public record Speed(Rate alone, @Nullable Rate bothRead, @Nullable Rate bothWays, double hopUs) {}
