package org.allreducelab.backends;

/** How a round in which ranks wait for many peers is synchronised. */
public enum Barrier {
  /** Every rank waits for each peer it needs. */
  PAIRWISE("pairwise"),
  /** All signal one rank, which signals all: 2(n-1) waits and one hop more. */
  RELAY("relay");

  private final String label;

  Barrier(String label) {
    this.label = label;
  }

  /** The name users type. */
  public String label() {
    return label;
  }
}
