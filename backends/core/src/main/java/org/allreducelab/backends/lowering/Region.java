package org.allreducelab.backends.lowering;

import org.allreducelab.algorithms.numerics.ElementType;

/**
 * The start of a run of elements in a rank's memory; the length is the fold's.
 *
 * @param rank whose memory
 * @param space which memory
 * @param byteOffset where in it, in bytes
 * @param type type of the elements there
 */
public record Region(int rank, Space space, long byteOffset, ElementType type) {}
