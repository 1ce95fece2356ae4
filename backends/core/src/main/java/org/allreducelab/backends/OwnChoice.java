package org.allreducelab.backends;

/** What only some backends choose: {@link Backend#ownChoices()}. */
public enum OwnChoice {
  /** {@link GroupSpec#memory()}. */
  MEMORY("memory"),
  /** {@link GroupSpec#queueFamily()}. */
  QUEUE_FAMILY("queue family"),
  /** {@link GroupSpec#queues()}. */
  QUEUES("queues");

  private final String label;

  OwnChoice(String label) {
    this.label = label;
  }

  /** For messages. */
  public String label() {
    return label;
  }
}
