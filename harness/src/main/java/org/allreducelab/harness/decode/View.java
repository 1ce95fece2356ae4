package org.allreducelab.harness.decode;

/** The steps that a row of the table is about; in the order of the rows. */
enum View {
  /** Every step that is no prefill: what a user waits for, token by token. */
  DECODE("decode"),
  /** The first step after a prefill, which pays for a change of capacity. */
  FIRST("first"),
  DRAFT("draft"),
  VERIFY("verify"),
  PREFILL("prefill");

  private final String label;

  View(String label) {
    this.label = label;
  }

  /** Its name in tables, and as a phase in {@code latency.hlog}. */
  String label() {
    return label;
  }

  /** The name of the histogram of its all-reduces. */
  String allReduceLabel() {
    return label + "-allreduce";
  }

  /** The name of the histogram of what its all-reduces waited on devices. */
  String waitLabel() {
    return label + "-wait";
  }

  boolean has(StepSample sample) {
    return has(sample.step(), sample.first());
  }

  /** Whether a step belongs to it, which may be the first after a prefill. */
  boolean has(Step step, boolean first) {
    return this == FIRST ? first : hasAllOf(step.phase());
  }

  /** Whether all steps of a phase belong to it. */
  boolean hasAllOf(Phase phase) {
    return switch (this) {
      case DECODE -> phase != Phase.PREFILL;
      case FIRST -> false;
      case DRAFT -> phase == Phase.DRAFT;
      case VERIFY -> phase == Phase.VERIFY;
      case PREFILL -> phase == Phase.PREFILL;
    };
  }
}
