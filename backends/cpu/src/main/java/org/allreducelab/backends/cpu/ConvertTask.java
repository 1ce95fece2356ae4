package org.allreducelab.backends.cpu;

/** A fold of one source of another type. */
record ConvertTask(ArrayRun source, ArrayRun destination, int length, ConvertLoop loop)
    implements Task {
  @Override
  public void run() {
    loop.convert(source.array, source.offset, destination.array, destination.offset, length);
  }
}
