package org.allreducelab.backends.lowering;

import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.Binary32;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;
import org.allreducelab.algorithms.numerics.Precision;

/** What a fold does to bytes, one element at a time, in the plainest way. */
final class FoldInterpreter {
  private final Precision precision;
  private final ElementType wire;

  FoldInterpreter(Precision precision, int count) {
    this.precision = precision;
    this.wire = precision.wireFor(count);
  }

  /** Bits of the destination's element {@code i}, from the bytes of each source's memory. */
  int element(Fold fold, byte[][] memories, int i) {
    Source first = fold.sources().get(0);
    if (fold.sources().size() == 1 && !first.throughWire()) {
      int raw = raw(first.region(), memories[0], i);
      ElementType to = fold.destination().type();
      if (first.region().type() == to) {
        return raw;
      }
      int widened = first.region().type().widen(raw);
      return fold.destination().space() == Space.SLOT
          ? to.narrow(widened, precision.narrowing())
          : to.pack(widened);
    }
    int sum = entering(first, memories[0], i);
    for (int k = 1; k < fold.sources().size(); k++) {
      sum = Binary32.add(sum, entering(fold.sources().get(k), memories[k], i));
      if (precision.accumulate() == Accumulate.EACH_ADD) {
        sum = precision.element().widen(precision.element().narrow(sum, Narrowing.RNE));
      }
    }
    return precision.element().narrow(sum, Narrowing.RNE);
  }

  /** Bits that are published for a destination's element. */
  int published(int elementBits) {
    return wire == precision.element()
        ? elementBits
        : wire.narrow(precision.element().widen(elementBits), precision.narrowing());
  }

  private int entering(Source source, byte[] memory, int i) {
    int value = source.region().type().widen(raw(source.region(), memory, i));
    return source.throughWire() ? wire.widen(wire.narrow(value, precision.narrowing())) : value;
  }

  private static int raw(Region region, byte[] memory, int i) {
    if (region.space() == Space.NEGATIVE_ZERO) {
      return region.type().signBit();
    }
    return bits(region.type(), memory, (int) region.byteOffset() + i * region.type().bytes());
  }

  static int bits(ElementType type, byte[] memory, int at) {
    int low = (memory[at] & 0xff) | (memory[at + 1] & 0xff) << 8;
    return type.bytes() == 2
        ? low
        : low | (memory[at + 2] & 0xff) << 16 | (memory[at + 3] & 0xff) << 24;
  }

  static void put(ElementType type, byte[] memory, int at, int bits) {
    for (int b = 0; b < type.bytes(); b++) {
      memory[at + b] = (byte) (bits >>> (8 * b));
    }
  }
}
