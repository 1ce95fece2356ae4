package org.allreducelab.backends.probe;

/**
 * The first byte that is not what it should be.
 *
 * @param index counted from the start of the block; below 0 or from its size on it lies outside the
 *     block, where nothing was to be written
 * @param expected 0..255
 * @param actual 0..255
 */
public record WrongByte(long index, int expected, int actual) {}
