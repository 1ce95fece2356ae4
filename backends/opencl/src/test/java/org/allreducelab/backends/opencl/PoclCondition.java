package org.allreducelab.backends.opencl;

import java.util.List;
import org.allreducelab.backends.Endpoint;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides for {@link RequiresPocl}. */
final class PoclCondition implements ExecutionCondition {

  /** Ids of PoCL's devices; of their parts too. */
  private static List<String> ids() {
    return new OpenClBackend()
        .endpoints().stream()
            .filter(e -> e.driver().startsWith("Portable Computing Language"))
            .map(Endpoint::id)
            .toList();
  }

  /** Ids of PoCL's devices. */
  static List<String> devices() {
    return ids().stream().filter(id -> !id.contains("/")).toList();
  }

  /** Ids of the parts of PoCL's devices. */
  static List<String> parts() {
    return ids().stream().filter(id -> id.contains("/")).toList();
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    RequiresPocl required = context.getRequiredTestClass().getAnnotation(RequiresPocl.class);
    int devices = required == null ? 1 : required.devices();
    int parts = required == null ? 0 : required.parts();
    if (devices().size() < devices || parts().size() < parts) {
      String missing =
          "%s: needs %d PoCL devices and %d parts, here are %d and %d. %s"
              .formatted(
                  context.getRequiredTestClass().getSimpleName(),
                  devices,
                  parts,
                  devices().size(),
                  parts().size(),
                  new OpenClBackend().absence());
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException(missing + " (CI=true: it must be there)");
      }
      System.err.println("NOT TESTED " + missing);
      return ConditionEvaluationResult.disabled(missing);
    }
    return ConditionEvaluationResult.enabled("PoCL is here");
  }
}
