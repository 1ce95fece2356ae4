package org.allreducelab.harness.bench;

import java.util.function.Consumer;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.EndingException;
import org.allreducelab.results.Verification;

/** How forks end that do not end well; on the thread that used the backend. */
public final class ForkEnd {
  private ForkEnd() {}

  /**
   * Reports what went wrong and gives the drivers back. A fork that was told to end has nothing to
   * report.
   *
   * @param report takes what went wrong, one line
   * @return {@code cause}, to be thrown
   */
  public static RuntimeException failed(RuntimeException cause, Consumer<String> report) {
    try {
      if (!(cause instanceof EndingException)) {
        report.accept(cause.getMessage() == null ? cause.toString() : cause.getMessage());
      }
    } finally {
      DriverShutdown.run();
      DriverShutdown.awaitEnd();
    }
    return cause;
  }

  /**
   * Lets only right bytes pass.
   *
   * @param when before or after timing
   * @throws IllegalStateException if an element is wrong
   */
  public static void requireExact(String when, Verification verification) {
    if (verification.wrongElements() > 0) {
      throw new IllegalStateException(
          "wrong bytes "
              + when
              + " timing: "
              + verification.wrongElements()
              + " of "
              + verification.checkedElements()
              + " elements differ from the simulator's");
    }
  }
}
