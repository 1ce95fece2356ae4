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

  TransportGroup(Transport transport, Supplier<Group> opener, int elementBytes) {
    this.transport = transport;
    this.opener = opener;
    this.elementBytes = elementBytes;
    this.runner = new GroupRunner(opener.get(), elementBytes);
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

  /** After a failure. */
  void reopen() {
    close();
    if (++failures < MAX_FAILURES) {
      try {
        runner = new GroupRunner(opener.get(), elementBytes);
      } catch (BackendException e) {
        failures = MAX_FAILURES;
      }
    }
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
