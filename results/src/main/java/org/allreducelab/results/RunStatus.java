package org.allreducelab.results;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a run stands. */
public enum RunStatus {
  /** Being written, or killed while it was: nothing on disk tells the two apart. */
  @JsonProperty("running")
  RUNNING,
  /** Every fork of every case was measured and its bytes were right. */
  @JsonProperty("complete")
  COMPLETE,
  /** Every fork was tried and at least one failed. */
  @JsonProperty("failed")
  FAILED,
  /** Stopped on request with forks left to run. */
  @JsonProperty("interrupted")
  INTERRUPTED;

  /** Whether nothing is left to run. */
  public boolean finished() {
    return this == COMPLETE || this == FAILED;
  }
}
