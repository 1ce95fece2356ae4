package org.allreducelab.backends.probe;

/**
 * Bytes to move.
 *
 * @param bytes how many, a positive multiple of 4
 * @param offset where they lie in the memory that is shared, and in the reader's: in bytes, a
 *     multiple of 4
 */
public record Block(long bytes, long offset) {
  /**
   * @throws IllegalArgumentException if a number is no multiple of 4 or out of range
   */
  public Block {
    if (bytes <= 0 || offset < 0 || bytes % 4 != 0 || offset % 4 != 0) {
      throw new IllegalArgumentException(
          "expected multiples of 4, a size of at least 4 and an offset of at least 0, not "
              + bytes
              + " at "
              + offset);
    }
  }

  /** The byte after the last. */
  public long end() {
    return offset + bytes;
  }
}
