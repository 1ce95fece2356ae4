package org.allreducelab.harness.cli;

import picocli.CommandLine.Option;

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

  public Format format() {
    return format;
  }

  public boolean verbose() {
    return verbose;
  }
}
