package org.allreducelab.backends.probe;

/** How a mode did. */
public enum ProbeVerdict {
  /** Every byte of every block arrived. */
  OK("ok"),
  /** A byte is wrong, or one was written that should not have been. */
  CORRUPT("corrupt"),
  /** A call returned an error. */
  REFUSED("refused"),
  /** Nothing happened any more. */
  TIMED_OUT("timed out"),
  /** The device was lost, or the process died. */
  CRASHED("crashed"),
  /** Not tried, since a capability is missing. */
  NOT_CLAIMED("not claimed");

  private final String label;

  ProbeVerdict(String label) {
    this.label = label;
  }

  /** In words. */
  public String label() {
    return label;
  }
}
