package org.allreducelab.harness.cli;

/** How a table is written. */
public enum Format {
  TEXT("text"),
  MARKDOWN("markdown"),
  CSV("csv"),
  JSON("json");

  private final String label;

  Format(String label) {
    this.label = label;
  }

  /** The name users type. */
  public String label() {
    return label;
  }
}
