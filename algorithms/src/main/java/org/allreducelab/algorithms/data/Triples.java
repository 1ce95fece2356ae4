package org.allreducelab.algorithms.data;

import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

/**
 * Ranks, turned by a random offset, form groups of three that hold a, b and -a in a random order.
 * |a| lies between 2^4 and 2^12 and b is smaller by 2^8 to 2^27: around half a unit of bf16, of
 * binary16, and of f32. A last group may lack members.
 */
final class Triples {
  private static final int[][] ROLES = {
    {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}
  };
  private static final int SMALL = 1;
  private static final int NEGATED = 2;

  private Triples() {}

  static int bits(ElementType type, Place place) {
    long shared = place.sharedRandom();
    int turned =
        (int)
            ((place.rank() + Long.remainderUnsigned(shared >>> 40, place.ranks())) % place.ranks());
    int group = turned / 3;
    int role = ROLES[(int) ((shared >>> 20) & 0xffff) % ROLES.length][turned % 3];
    // The group's random bits: its members' are the same.
    long random = new Place(place.seed(), place.ranks(), group, place.element()).random(0);
    int exponent = 4 + (int) ((random >>> 32) & 7);
    int drop = role == SMALL ? 8 + (int) ((random >>> 40) & 0xff) % 20 : 0;
    int significand = (int) (role == SMALL ? random >>> 8 : random) & 0x7fffff;
    int sign = role == NEGATED ? 0x80000000 : 0;
    return type.narrow(sign | ((127 + exponent - drop) << 23) | significand, Narrowing.TRUNCATE);
  }
}
