package org.allreducelab.harness.cli;

import java.util.List;
import org.allreducelab.backends.Operands;

/** Where collectives take their input from, as users type it. */
public enum InPlace {
  FALSE("false"),
  TRUE("true"),
  BOTH("both");

  private final String label;

  InPlace(String label) {
    this.label = label;
  }

  public List<Operands> operands() {
    return switch (this) {
      case FALSE -> List.of(Operands.OUT_OF_PLACE);
      case TRUE -> List.of(Operands.IN_PLACE);
      case BOTH -> List.of(Operands.OUT_OF_PLACE, Operands.IN_PLACE);
    };
  }

  /** The name users type. */
  public String label() {
    return label;
  }
}
