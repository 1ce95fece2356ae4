package org.allreducelab.backends;

/** How ranks wait for each other. */
public enum Sync {
  /** Primitives the devices share: timeline semaphores, events, memory. */
  NATIVE("native"),
  /** A host thread that watches one rank and signals the others. */
  PROXY("proxy");

  private final String label;

  Sync(String label) {
    this.label = label;
  }

  /** The name users type. */
  public String label() {
    return label;
  }
}
