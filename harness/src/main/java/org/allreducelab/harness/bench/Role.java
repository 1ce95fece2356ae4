package org.allreducelab.harness.bench;

/** Why a case is measured; in the order of the table's rows of one size. */
enum Role {
  /** An all-reduce that competes with the others of its size. */
  CONTENDER("contender"),
  /** An all-reduce with all ranks in one queue: its kernels without signals between ranks. */
  SINGLE_QUEUE("single-queue"),
  /** A {@link BareCopy}: what any submission costs here. */
  BARE("bare");

  private final String label;

  Role(String label) {
    this.label = label;
  }

  /** Its name in tables and parameters. */
  String label() {
    return label;
  }

  /**
   * The role of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Role named(String label) {
    for (Role role : values()) {
      if (role.label.equals(label)) {
        return role;
      }
    }
    throw new IllegalArgumentException("unknown role '" + label + "'");
  }
}
