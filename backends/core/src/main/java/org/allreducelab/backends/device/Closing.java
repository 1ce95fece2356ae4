package org.allreducelab.backends.device;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Collects what a constructor or a group has made, to close it in reverse order: at once where
 * making failed half-way, or later.
 */
public final class Closing implements AutoCloseable {
  private final Deque<AutoCloseable> made = new ArrayDeque<>();

  public <T extends AutoCloseable> T keep(T resource) {
    made.push(resource);
    return resource;
  }

  /** Nothing is closed any more: the caller owns it now. */
  public void succeeded() {
    made.clear();
  }

  /** Hands everything over to another owner. */
  public Closing handOver() {
    Closing owner = new Closing();
    owner.made.addAll(made);
    made.clear();
    return owner;
  }

  @Override
  public void close() {
    RuntimeException first = null;
    while (!made.isEmpty()) {
      try {
        made.pop().close();
      } catch (Exception e) {
        if (first == null) {
          first = e instanceof RuntimeException r ? r : new IllegalStateException(e);
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
