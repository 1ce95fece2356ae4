package org.allreducelab.backends.cpu;

/**
 * The inner loop of a conversion between element types. A NaN becomes the canonical one when it is
 * narrowed.
 *
 * @implSpec As {@link FoldLoop}: same bytes from every implementation, any byte offsets. Holds no
 *     state, so threads may share it. The runs do not overlap.
 */
public interface ConvertLoop {
  /**
   * Converts {@code length} elements.
   *
   * @param source array of the values
   * @param sourceOffset where they start, in bytes
   * @param destination array of the results
   * @param destinationOffset where they start, in bytes
   * @param length number of elements
   */
  void convert(
      byte[] source, int sourceOffset, byte[] destination, int destinationOffset, int length);
}
