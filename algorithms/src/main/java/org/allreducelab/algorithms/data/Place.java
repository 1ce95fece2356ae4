package org.allreducelab.algorithms.data;

/**
 * Where a value lies. Random numbers come from hashing the place, so any element can be made alone
 * and does not depend on the vector's length.
 */
record Place(long seed, int ranks, int rank, int element) {

  /** 64 random bits that all ranks share at this element. */
  long sharedRandom() {
    return mix(mix(seed) + element);
  }

  /** 64 random bits of this rank and element; another stream, other bits. */
  long random(int stream) {
    return mix(sharedRandom() ^ mix(((long) rank << 32) + stream + 1));
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014) on a golden-ratio step. */
  private static long mix(long value) {
    long z = value * 0x9e3779b97f4a7c15L + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
