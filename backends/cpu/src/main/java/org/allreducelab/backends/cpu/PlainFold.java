package org.allreducelab.backends.cpu;

/** A fold whose operands and result are of the element type: one pass over the whole run. */
final class PlainFold implements Task {
  private final byte[][] sources;
  private final int[] offsets;
  private final ArrayRun destination;
  private final int length;
  private final FoldLoop loop;

  PlainFold(byte[][] sources, int[] offsets, ArrayRun destination, int length, FoldLoop loop) {
    this.sources = sources;
    this.offsets = offsets;
    this.destination = destination;
    this.length = length;
    this.loop = loop;
  }

  @Override
  public void run() {
    loop.fold(sources, offsets, destination.array, destination.offset, 0, length);
  }
}
