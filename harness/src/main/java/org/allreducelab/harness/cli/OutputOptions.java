package org.allreducelab.harness.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of every command that prints something. Commands have them as a mixin. */
public final class OutputOptions {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = Converters.Formats.class,
      defaultValue = "text",
      description = "text, markdown, csv or json (default: text).")
  private Format format = Format.TEXT;

  @Option(names = "--verbose", description = "Say more, and show the stack trace of an error.")
  private boolean verbose;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Picocli sets the fields. */
  @SuppressWarnings("NullAway.Init")
  public OutputOptions() {}

  public Format format() {
    return format;
  }

  public boolean verbose() {
    return verbose;
  }

  /** Prints a table to standard output, in the format asked for. */
  public void print(Table table) {
    print(table.render(format));
  }

  /** Prints a text to standard output. */
  public void print(String text) {
    PrintWriter to = command.commandLine().getOut();
    to.print(text);
    to.flush();
  }
}
