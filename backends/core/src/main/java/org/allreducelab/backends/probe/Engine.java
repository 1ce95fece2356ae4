package org.allreducelab.backends.probe;

/** What moves the bytes on a device. */
public enum Engine {
  /** The copy command of the API. */
  COPY("copy"),
  /** A kernel that loads and stores. */
  KERNEL("kernel");

  private final String label;

  Engine(String label) {
    this.label = label;
  }

  /** Its name in tables. */
  public String label() {
    return label;
  }
}
