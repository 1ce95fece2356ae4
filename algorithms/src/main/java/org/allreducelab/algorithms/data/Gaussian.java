package org.allreducelab.algorithms.data;

import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

/**
 * The sum of twelve uniform numbers, less its mean: variance 1, magnitude below 6. Integer-only up
 * to one exact conversion, so equal on every JVM, and quick.
 */
final class Gaussian {
  private Gaussian() {}

  static int bits(ElementType type, Place place) {
    int sum = 0;
    for (int stream = 0; stream < 3; stream++) {
      long random = place.random(stream);
      sum += (int) (random & 0xffff) + (int) ((random >>> 16) & 0xffff);
      sum += (int) ((random >>> 32) & 0xffff) + (int) (random >>> 48);
    }
    float value = (sum - 6 * 0xffff) * 0x1p-16f;
    return type.narrow(Float.floatToRawIntBits(value), Narrowing.RNE);
  }
}
