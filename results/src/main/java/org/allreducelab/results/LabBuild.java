package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The build of the lab that ran.
 *
 * @param version version of the lab
 * @param commit Git commit it was built from, if known
 * @param dirty whether the checkout had uncommitted changes, if known
 */
public record LabBuild(String version, @Nullable String commit, @Nullable Boolean dirty) {
  public LabBuild {
    requireNonNull(version, "version");
  }
}
