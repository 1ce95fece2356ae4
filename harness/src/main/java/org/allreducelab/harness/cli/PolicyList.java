package org.allreducelab.harness.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.staging.StagingPolicies;
import org.allreducelab.backends.staging.StagingPolicy;

/**
 * Staging policies as users type them: {@code grow-only,shrink:8}, or {@code all}.
 *
 * @param values in the order typed, each name once
 */
public record PolicyList(List<StagingPolicy> values) {
  public PolicyList {
    values = List.copyOf(values);
  }

  /**
   * Reads a list.
   *
   * @throws UsageException if a policy is unknown or its parameter wrong
   */
  public static PolicyList parse(String text) {
    Map<String, StagingPolicy> policies = new LinkedHashMap<>();
    for (String item : text.split(",", -1)) {
      if (item.strip().equals("all")) {
        StagingPolicies.all().forEach(p -> policies.putIfAbsent(p.name(), p));
      } else {
        StagingPolicy policy = named(item.strip());
        policies.putIfAbsent(policy.name(), policy);
      }
    }
    return new PolicyList(List.copyOf(policies.values()));
  }

  private static StagingPolicy named(String name) {
    try {
      return StagingPolicies.named(name);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
