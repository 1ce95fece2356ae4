package org.allreducelab.algorithms.data;

import java.util.List;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Input vectors of an all-reduce, one per rank, a pure function of (type, kinds, ranks, seed).
 *
 * <p>Element i of all ranks is of kind {@code kinds[(i + seed) mod kinds]}: the kinds alternate
 * element by element, so every chunk and every lane of a device's vector registers meets all of
 * them, and with a small count the seed decides which come first. Element i does not depend on the
 * count: a longer vector starts with the shorter one.
 */
public final class TestVectors {
  private final ElementType type;
  private final List<DataKind> kinds;
  private final int ranks;
  private final long seed;

  private TestVectors(ElementType type, List<DataKind> kinds, int ranks, long seed) {
    if (ranks < 1) {
      throw new IllegalArgumentException("ranks must be at least 1, not " + ranks);
    }
    this.type = type;
    this.kinds = kinds;
    this.ranks = ranks;
    this.seed = seed;
  }

  /**
   * All kinds in one vector.
   *
   * @throws IllegalArgumentException if {@code ranks < 1}
   */
  public static TestVectors mixed(ElementType type, int ranks, long seed) {
    return new TestVectors(type, DataKind.all(), ranks, seed);
  }

  /**
   * One kind alone; {@link DataKind#GAUSSIAN} for benchmarks.
   *
   * @throws IllegalArgumentException if {@code ranks < 1}
   */
  public static TestVectors of(DataKind kind, ElementType type, int ranks, long seed) {
    return new TestVectors(type, List.of(kind), ranks, seed);
  }

  /** The kind of an element. */
  public DataKind kindOf(int element) {
    int size = kinds.size();
    return kinds.get((int) ((element + Math.floorMod(seed, (long) size)) % size));
  }

  /** The bits of one rank's element. */
  public int bits(int rank, int element) {
    return kindOf(element).bits(type, new Place(seed, ranks, rank, element));
  }

  /** One rank's vector, little-endian. */
  public byte[] vector(int rank, int count) {
    return window(rank, new Span(0, count));
  }

  /** Every rank's vector. */
  public byte[][] vectors(int count) {
    byte[][] vectors = new byte[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      vectors[rank] = vector(rank, count);
    }
    return vectors;
  }

  /** A window of one rank's vector. */
  public byte[] window(int rank, Span window) {
    byte[] bytes = new byte[window.length() * type.bytes()];
    for (int i = 0; i < window.length(); i++) {
      type.put(bytes, i, bits(rank, window.offset() + i));
    }
    return bytes;
  }
}
