package org.allreducelab.harness.verify;

import java.util.function.Supplier;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;

/**
 * An open group with one transport. A failed group is terminal, so it is opened anew; after a few
 * failures it is given up, since each may cost a deadline.
 */
final class TransportGroup implements AutoCloseable {
  private static final int MAX_FAILURES = 3;

  private final Transport transport;
  private final Supplier<Group> opener;
  private final int elementBytes;
  private @Nullable GroupRunner runner;
  private int failures;
  private String lastFailure = "";
  private long notRun;

  TransportGroup(Supplier<Group> opener, int elementBytes) {
    this.opener = opener;
    this.elementBytes = elementBytes;
    Group group = opener.get();
    this.transport = group.choices().transport().value();
    this.runner = new GroupRunner(group, elementBytes);
  }

  Transport transport() {
    return transport;
  }

  /** The transport's name. */
  String label() {
    return transport.label();
  }

  /** Runs schedules; null once the group is given up. */
  @Nullable GroupRunner runner() {
    return runner;
  }

  /** After a failure, told by what it said. */
  void reopen(String failure) {
    failures++;
    lastFailure = failure;
    if (closes() && failures < MAX_FAILURES) {
      try {
        runner = new GroupRunner(opener.get(), elementBytes);
      } catch (BackendException e) {
        failures++;
        lastFailure = String.valueOf(e.getMessage());
      }
    }
  }

  /** A group that cannot even be closed is given up: its device does not end what it was given. */
  private boolean closes() {
    try {
      close();
      return true;
    } catch (BackendException e) {
      lastFailure = String.valueOf(e.getMessage());
      return false;
    }
  }

  /** Notes a case that did not run since the group is given up. */
  void skip() {
    notRun++;
  }

  /** Cases that did not run. */
  long notRun() {
    return notRun;
  }

  /** Why cases did not run. */
  String whyNotRun() {
    return "group given up after "
        + failures
        + (failures == 1 ? " failure" : " failures")
        + " (last: "
        + lastFailure
        + ")";
  }

  @Override
  public void close() {
    GroupRunner open = runner;
    runner = null;
    if (open != null) {
      open.close();
    }
  }
}
