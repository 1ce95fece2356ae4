package org.allreducelab.harness.cli;

import java.util.List;
import org.allreducelab.backends.Operands;

/** Where collectives take their input from, as users type it. */
public enum InPlace {
  FALSE("false", List.of(Operands.OUT_OF_PLACE)),
  TRUE("true", List.of(Operands.IN_PLACE)),
  BOTH("both", List.of(Operands.OUT_OF_PLACE, Operands.IN_PLACE));

  private final String label;
  private final List<Operands> operands;

  InPlace(String label, List<Operands> operands) {
    this.label = label;
    this.operands = operands;
  }

  public List<Operands> operands() {
    return operands;
  }

  /** The name users type. */
  public String label() {
    return label;
  }
}
