package org.allreducelab.algorithms.data;

import org.allreducelab.algorithms.numerics.ElementType;

final class RandomBits {
  private RandomBits() {}

  static int bits(ElementType type, Place place) {
    return (int) (place.random(0) >>> (64 - 8 * type.bytes()));
  }
}
