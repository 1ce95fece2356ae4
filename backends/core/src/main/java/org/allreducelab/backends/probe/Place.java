package org.allreducelab.backends.probe;

/** What the reader had seen of a place before what it is to see now was written there. */
public enum Place {
  /** Nothing that the host did not wait for. */
  FRESH("fresh", ""),
  /** The same bytes. */
  REUSED("reused", ", overwritten after it was read"),
  /** Bytes beside them, in the same cache line. */
  NEIGHBOUR("neighbour", ", overwritten after its neighbour was read");

  private final String label;
  private final String words;

  Place(String label, String words) {
    this.label = label;
    this.words = words;
  }

  /** Its name in tables. */
  public String label() {
    return label;
  }

  /** What is to be said after a block; empty for a fresh one. */
  String words() {
    return words;
  }
}
