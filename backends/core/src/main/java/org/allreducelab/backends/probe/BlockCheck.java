package org.allreducelab.backends.probe;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Compares what arrived with what was sent, and what lies around it with the poison. */
public final class BlockCheck {
  public static final int POISON = 0xa5;

  /** Four bytes of poison. */
  public static final int POISON_WORD = 0xa5a5a5a5;

  private BlockCheck() {}

  /**
   * The first wrong byte, or null.
   *
   * @param actual the block, with what lies before and after it
   * @param start where in it the block starts
   * @param expected the block as it was sent
   */
  public static @Nullable WrongByte firstWrong(ByteBuffer actual, int start, ByteBuffer expected) {
    int bytes = expected.remaining();
    WrongByte before = firstTouched(actual, 0, start, start);
    if (before != null) {
      return before;
    }
    int wrong = actual.slice(start, bytes).mismatch(expected);
    if (wrong >= 0) {
      return new WrongByte(
          wrong,
          expected.get(expected.position() + wrong) & 0xff,
          actual.get(start + wrong) & 0xff);
    }
    return firstTouched(actual, start + bytes, actual.limit(), start);
  }

  private static @Nullable WrongByte firstTouched(ByteBuffer actual, int from, int to, int start) {
    for (int i = from; i < to; i++) {
      int value = actual.get(i) & 0xff;
      if (value != POISON) {
        return new WrongByte(i - start, POISON, value);
      }
    }
    return null;
  }
}
