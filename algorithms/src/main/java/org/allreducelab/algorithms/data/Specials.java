package org.allreducelab.algorithms.data;

import org.allreducelab.algorithms.numerics.ElementType;

/**
 * Special values by theme: all ranks' values at one element come from one theme, drawn for the
 * element. A free mix would be NaN nearly everywhere.
 */
final class Specials {
  private enum Theme {
    ZEROS,
    NEGATIVE_ZEROS,
    SUBNORMALS,
    LARGE,
    ONE_INFINITY,
    INFINITIES,
    NANS,
    MIX
  }

  private static final Theme[] THEMES = Theme.values();

  private Specials() {}

  static int bits(ElementType type, Place place) {
    long shared = place.sharedRandom();
    long random = place.random(0);
    int sign = (random & 1) == 0 ? 0 : type.signBit();
    int pick = (int) ((random >>> 8) & 0xffffff);
    boolean chosen = place.rank() == Long.remainderUnsigned(shared >>> 16, place.ranks());
    return switch (THEMES[(int) (shared & 7)]) {
      case ZEROS -> sign;
      case NEGATIVE_ZEROS -> type.signBit();
      case SUBNORMALS -> sign | small(type, pick);
      case LARGE -> sign | large(type, pick);
      case ONE_INFINITY -> chosen ? sign | type.infinityBits() : sign | small(type, pick);
      case INFINITIES -> sign | type.infinityBits();
      case NANS -> chosen ? sign | nan(type, pick) : sign | one(type);
      case MIX -> sign | mixed(type, pick);
    };
  }

  /** Subnormals, both ends of them likely, zero, and the smallest normals. */
  private static int small(ElementType type, int pick) {
    int smallestNormal = 1 << (type.significandBits() - 1);
    return switch (pick & 7) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> smallestNormal - 1;
      case 3 -> smallestNormal;
      case 4 -> smallestNormal + 1;
      default -> (pick >>> 3) % smallestNormal;
    };
  }

  /** The largest value, its neighbour, and half and quarter units of it: overflow or just not. */
  private static int large(ElementType type, int pick) {
    int largest = type.infinityBits() - 1;
    int power = 1 << (type.significandBits() - 1);
    int largestPower = type.infinityBits() - power;
    return switch (pick & 3) {
      case 0 -> largest;
      case 1 -> largest - 1;
      case 2 -> largestPower - type.significandBits() * power;
      default -> largestPower - (type.significandBits() + 1) * power;
    };
  }

  /** Quiet and signalling, smallest and largest payload. */
  private static int nan(ElementType type, int pick) {
    int quiet = type.canonicalNanBits();
    return switch (pick & 3) {
      case 0 -> quiet + 1;
      case 1 -> type.infinityBits() + 1;
      case 2 -> type.signBit() - 1;
      default -> quiet;
    };
  }

  private static int mixed(ElementType type, int pick) {
    int rest = pick >>> 3;
    return switch (pick & 7) {
      case 0 -> type.infinityBits();
      case 1 -> nan(type, rest);
      case 2, 3 -> large(type, rest);
      case 4, 5 -> small(type, rest);
      case 6 -> 0;
      default -> one(type);
    };
  }

  private static int one(ElementType type) {
    return type.pack(0x3f800000);
  }
}
