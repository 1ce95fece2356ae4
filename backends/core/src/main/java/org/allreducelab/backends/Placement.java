package org.allreducelab.backends;

/** How ranks lie on devices. */
public enum Placement {
  /** A device per rank. */
  PHYSICAL("physical"),
  /** A logical device per rank on one physical device: the code path of several GPUs. */
  LOGICAL("logical"),
  /** A queue (on the CPU: a worker thread) per rank in one logical device, shared when too few. */
  QUEUES("queues"),
  /** All ranks in one queue, no signals between them: the kernels' own cost. */
  SINGLE_QUEUE("single-queue");

  private final String label;

  Placement(String label) {
    this.label = label;
  }

  /** The name users type. */
  public String label() {
    return label;
  }
}
