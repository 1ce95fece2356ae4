package org.allreducelab.harness.decode;

import org.allreducelab.harness.cli.UsageException;

/** When the host waits for what it has enqueued. */
enum Await {
  /** Once per step: everything of a token is in flight at once. */
  TOKEN("token"),
  /** After each all-reduce. */
  EACH("each");

  private final String label;

  Await(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  static Await named(String label) {
    for (Await await : values()) {
      if (await.label.equals(label)) {
        return await;
      }
    }
    throw new UsageException("unknown --await '" + label + "'; known: token, each");
  }
}
