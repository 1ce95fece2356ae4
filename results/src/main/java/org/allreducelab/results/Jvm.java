package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The Java virtual machine that forks run on.
 *
 * @param name name of the virtual machine
 * @param version version of its runtime
 * @param flags arguments given to the forks
 */
public record Jvm(String name, String version, List<String> flags) {
  public Jvm {
    requireNonNull(name, "name");
    requireNonNull(version, "version");
    flags = List.copyOf(requireNonNull(flags, "flags"));
  }
}
