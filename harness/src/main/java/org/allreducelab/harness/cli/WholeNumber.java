package org.allreducelab.harness.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Lets picocli read a whole number; which numbers are right is for the command to say. */
public final class WholeNumber implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("expected a whole number, such as 3, not '" + text + "'");
    }
  }
}
