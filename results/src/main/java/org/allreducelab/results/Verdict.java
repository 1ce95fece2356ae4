package org.allreducelab.results;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How close the ranks' bytes came to the reference simulator's, best first. */
public enum Verdict {
  /** Every byte of every rank equals the simulator's. */
  @JsonProperty("EXACT")
  EXACT,
  /** Equal up to the payload of NaNs. */
  @JsonProperty("NAN-CLASS")
  NAN_CLASS,
  /** Different bytes, every one within the error bound. */
  @JsonProperty("BOUNDED")
  BOUNDED,
  /** At least one element is outside the error bound. */
  @JsonProperty("WRONG")
  WRONG
}
