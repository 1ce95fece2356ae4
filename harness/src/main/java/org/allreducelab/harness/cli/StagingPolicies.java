package org.allreducelab.harness.cli;

import java.util.List;
import org.allreducelab.backends.staging.GrowOnly;
import org.allreducelab.backends.staging.StagingPolicy;

/** Staging policies by the name users type. */
public final class StagingPolicies {
  private StagingPolicies() {}

  /**
   * A new policy, since a policy may keep state.
   *
   * @throws UsageException if there is none of that name; the message lists the known ones
   */
  public static StagingPolicy named(String name) {
    return Names.find("staging policy", List.of(new GrowOnly()), StagingPolicy::name, name);
  }
}
