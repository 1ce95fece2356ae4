package org.allreducelab.backends.cpu;

/** A fold of one source that needs no conversion. */
record CopyTask(ArrayRun source, ArrayRun destination, int bytes) implements Task {
  @Override
  public void run() {
    System.arraycopy(source.array, source.offset, destination.array, destination.offset, bytes);
  }
}
