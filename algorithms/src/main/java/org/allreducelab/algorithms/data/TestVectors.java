package org.allreducelab.algorithms.data;

import java.util.List;
import java.util.stream.IntStream;
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
  /** As many elements are made by one task. */
  private static final int BLOCK_ELEMENTS = 1 << 16;

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

  /** Every rank's vector. Large ones are made on all cores: an element depends on no other. */
  public byte[][] vectors(int count) {
    byte[][] vectors = new byte[ranks][count * type.bytes()];
    int blocks = (count + BLOCK_ELEMENTS - 1) / BLOCK_ELEMENTS;
    IntStream all = IntStream.range(0, ranks * blocks);
    (blocks > 1 ? all.parallel() : all)
        .forEach(
            i -> {
              int from = i % blocks * BLOCK_ELEMENTS;
              int to = Math.min(count, from + BLOCK_ELEMENTS);
              put(vectors[i / blocks], from, i / blocks, Span.between(from, to));
            });
    return vectors;
  }

  /** A window of one rank's vector. */
  public byte[] window(int rank, Span window) {
    byte[] bytes = new byte[window.length() * type.bytes()];
    put(bytes, 0, rank, window);
    return bytes;
  }

  private void put(byte[] into, int at, int rank, Span window) {
    for (int i = 0; i < window.length(); i++) {
      type.put(into, at + i, bits(rank, window.offset() + i));
    }
  }
}
