package org.allreducelab.backends.probe;

/**
 * What is wrong with a block.
 *
 * @param first its first wrong byte
 * @param detail one line for people, or empty
 */
public record Wrong(WrongByte first, String detail) {}
