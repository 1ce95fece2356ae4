package org.allreducelab.backends;

/** How a rank's bytes reach its peers. */
public enum Transport {
  /** Peers read exported device memory. */
  DIRECT("direct"),
  /** Bytes go through slots in host memory that every device can reach. */
  STAGED_HOST("staged-host");

  private final String label;

  Transport(String label) {
    this.label = label;
  }

  /** The name users type. */
  public String label() {
    return label;
  }
}
