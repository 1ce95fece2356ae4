package org.allreducelab.harness;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.LabContext;
import picocli.CommandLine;

/** What a command printed and how it ended. */
public record CommandRun(int code, String out, String err) {
  /** Runs {@code lab} with the backends on the class path. */
  public static CommandRun lab(String... args) {
    return run(new LabContext(Inventory::load, false), args);
  }

  /** Runs {@code lab} with these backends only. */
  public static CommandRun labOn(List<Backend> backends, String... args) {
    return run(new LabContext(() -> Inventory.of(backends), false), args);
  }

  private static CommandRun run(LabContext context, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine lab = Lab.commandLine(context);
    lab.setOut(new PrintWriter(out));
    lab.setErr(new PrintWriter(err));
    int code = lab.execute(args);
    lab.getOut().flush();
    lab.getErr().flush();
    return new CommandRun(code, out.toString(), err.toString());
  }
}
