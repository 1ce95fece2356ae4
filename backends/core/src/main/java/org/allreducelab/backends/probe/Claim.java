package org.allreducelab.backends.probe;

/** What the drivers of a pair say about a mode. */
public enum Claim {
  /** They say that it works: if it does not, that is a fault. */
  CLAIMED("claimed"),
  /**
   * Each says that it has its half, but no specification says that the halves fit: worth a try, and
   * no fault if it fails.
   */
  UNSPECIFIED("outside the specification"),
  /** A capability is missing. Never tried: a driver asked for what it lacks may crash. */
  MISSING("not claimed");

  private final String label;

  Claim(String label) {
    this.label = label;
  }

  /** In words. */
  public String label() {
    return label;
  }
}
