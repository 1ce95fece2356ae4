package org.allreducelab.harness.verify;

/** How a device's result compares with the simulator's, best first. */
public enum Verdict {
  /** The same bytes on every rank. */
  EXACT("EXACT"),
  /** The same but for NaN payloads. */
  NAN_CLASS("NAN-CLASS"),
  /** Other values, each within the error bound of the schedule. */
  BOUNDED("BOUNDED"),
  /** A value that no order of additions explains, or memory written that is not the vector's. */
  WRONG("WRONG"),
  /** No result: the device failed, or missed the deadline. */
  FAILED("FAILED");

  private final String label;

  Verdict(String label) {
    this.label = label;
  }

  /** The name users see. */
  public String label() {
    return label;
  }

  /** The worse of the two. */
  public Verdict or(Verdict other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
