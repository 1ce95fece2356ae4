package org.allreducelab.results;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How one fork ended. */
public enum ForkStatus {
  /** Measured, and the bytes were right before and after. */
  @JsonProperty("ok")
  OK,
  /** An error, a missed deadline or wrong bytes: a result too, never repeated by a resumed run. */
  @JsonProperty("failed")
  FAILED,
  /** Stopped on request: a resumed run repeats it. */
  @JsonProperty("interrupted")
  INTERRUPTED
}
