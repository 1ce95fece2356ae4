package org.allreducelab.harness.cli;

import java.io.PrintWriter;
import java.util.List;
import org.allreducelab.backends.EndingException;
import org.allreducelab.backends.UnavailableException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Tells every error in one line on standard error, and maps it to its exit code. A stack trace
 * comes with {@code --verbose}.
 */
public final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private static final String VERBOSE = "--verbose";

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String hint = "";
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> near = unmatched.getSuggestions();
      hint = near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }
    tell(command, e.getMessage() + hint, e, List.of(args).contains(VERBOSE));
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof EndingException) {
      tell(command, "interrupted", e, false);
      return ExitCode.INTERRUPTED;
    }
    boolean known =
        e instanceof UsageException || e instanceof org.allreducelab.backends.BackendException;
    String message = e.getMessage();
    String line = known && message != null ? message : "failed: " + e;
    tell(command, line, e, parsed.originalArgs().contains(VERBOSE));
    if (e instanceof UsageException) {
      return ExitCode.USAGE;
    }
    return e instanceof UnavailableException ? ExitCode.UNAVAILABLE : ExitCode.FAILURE;
  }

  private static void tell(CommandLine command, String message, Exception e, boolean verbose) {
    CommandSpec spec = command.getCommandSpec();
    PrintWriter err = command.getErr();
    err.println(spec.qualifiedName() + ": " + message.strip().replaceAll("\\s*\\R\\s*", " "));
    if (verbose) {
      e.printStackTrace(err);
    }
    err.flush();
  }
}
