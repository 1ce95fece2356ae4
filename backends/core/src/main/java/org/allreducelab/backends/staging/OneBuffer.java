package org.allreducelab.backends.staging;

/** A rule for a single buffer. */
interface OneBuffer extends StagingRule {
  @Override
  default int buffers() {
    return 1;
  }

  @Override
  default int decide(long requestBytes, long[] capacityBytes) {
    capacityBytes[0] = capacity(requestBytes, capacityBytes[0]);
    return 0;
  }

  /** The capacity to have; equal to {@code presentBytes} to keep what is there. */
  long capacity(long requestBytes, long presentBytes);
}
