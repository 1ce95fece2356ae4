package org.allreducelab.harness.decode;

import java.util.Arrays;
import java.util.Set;
import org.allreducelab.algorithms.data.DataKind;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;

/**
 * Seeded inputs of the largest message; smaller ones use the start of them. Gaussian values are
 * timed; data of every kind is verified too. The buffer of an inactive rank holds NaN.
 */
final class DecodeInputs {
  private final ElementType type;
  private final Set<Integer> inactive;
  private final byte[][] hard;
  private final byte[][] timed;

  private DecodeInputs(ElementType type, Set<Integer> inactive, byte[][] hard, byte[][] timed) {
    this.type = type;
    this.inactive = inactive;
    this.hard = hard;
    this.timed = timed;
  }

  static DecodeInputs of(DecodeCase decodeCase, long seed) {
    ElementType type = decodeCase.precision().element();
    int ranks = decodeCase.ranks();
    int count = decodeCase.model().count(decodeCase.trace().largestTokens());
    return new DecodeInputs(
        type,
        decodeCase.engine().inactiveRanks(),
        TestVectors.mixed(type, ranks, seed).vectors(count),
        TestVectors.of(DataKind.GAUSSIAN, type, ranks, seed).vectors(count));
  }

  void writeHard(Group group) {
    write(group, hard);
  }

  void writeTimed(Group group) {
    write(group, timed);
  }

  private void write(Group group, byte[][] vectors) {
    for (int rank : group.localRanks()) {
      boolean absent = inactive.contains(rank);
      group.write(
          rank,
          DataBuffer.SEND,
          absent ? filled(vectors[rank].length, type.canonicalNanBits()) : vectors[rank]);
    }
  }

  /** What the ranks contribute to a message: the start of their vectors, −0 where inactive. */
  byte[][] hard(int count) {
    return contributions(hard, count);
  }

  /** Likewise of what is timed. */
  byte[][] timed(int count) {
    return contributions(timed, count);
  }

  private byte[][] contributions(byte[][] vectors, int count) {
    byte[][] contributions = new byte[vectors.length][];
    for (int rank = 0; rank < vectors.length; rank++) {
      int bytes = count * type.bytes();
      contributions[rank] =
          inactive.contains(rank)
              ? filled(bytes, type.signBit())
              : Arrays.copyOf(vectors[rank], bytes);
    }
    return contributions;
  }

  private byte[] filled(int bytes, int bits) {
    byte[] vector = new byte[bytes];
    for (int i = 0; i < bytes / type.bytes(); i++) {
      type.put(vector, i, bits);
    }
    return vector;
  }
}
