package org.allreducelab.harness.cli;

import java.util.function.Supplier;
import org.allreducelab.harness.probes.ProbeCache;

/**
 * What commands find around them; tests give their own.
 *
 * @param inventory loads the backends; called only by commands that need devices, since loading may
 *     start drivers
 * @param stderrIsTerminal whether to show progress
 * @param probes what {@code lab doctor} found
 */
public record LabContext(
    Supplier<Inventory> inventory, boolean stderrIsTerminal, ProbeCache probes) {

  /** With the user's own cache. */
  public LabContext(Supplier<Inventory> inventory, boolean stderrIsTerminal) {
    this(inventory, stderrIsTerminal, ProbeCache.ofUser());
  }

  /** The backends on the class path, and this process' standard error. */
  public static LabContext ofThisProcess() {
    return new LabContext(Inventory::load, Terminal.isStderr());
  }
}
