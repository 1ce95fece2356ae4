package org.allreducelab.backends.probe;

import org.jspecify.annotations.Nullable;

/**
 * Both sides wrote and read at once.
 *
 * @param gbPerS how fast each direction of each side's link was, in 1e9 bytes a second
 * @param wrong what is wrong with what was read, or null if every byte is right
 */
public record Exchange(double gbPerS, @Nullable Wrong wrong) {}
