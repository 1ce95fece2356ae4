package org.allreducelab.backends.cpu;

import org.allreducelab.algorithms.numerics.ElementType;

/** A run of elements in an array. */
final class ArrayRun {
  final byte[] array;

  /** Where the run starts, in bytes. */
  final int offset;

  final ElementType type;

  ArrayRun(byte[] array, int offset, ElementType type) {
    this.array = array;
    this.offset = offset;
    this.type = type;
  }

  /** Where an element of the run lies, in bytes. */
  int at(int element) {
    return offset + element * type.bytes();
  }
}
