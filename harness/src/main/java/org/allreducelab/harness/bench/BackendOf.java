package org.allreducelab.harness.bench;

import java.util.List;
import java.util.ServiceLoader;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.mixed.MixedBackend;

/** Finds the backend of an endpoint id in a fork, where the id is known to be well-formed. */
public final class BackendOf {
  private BackendOf() {}

  /**
   * The backend of an endpoint.
   *
   * @param endpointId for instance {@code cpu} or {@code vulkan:0}
   * @throws UnavailableException if there is no such backend on the class path
   */
  public static Backend endpoint(String endpointId) {
    return named(endpointId.split(":", 2)[0]);
  }

  /**
   * The backend of a group: several ones together where its endpoints belong to several.
   *
   * @param endpointIds at least one
   * @throws UnavailableException if one of the backends is not on the class path
   */
  public static Backend endpoints(List<String> endpointIds) {
    List<Backend> backends =
        endpointIds.stream()
            .map(id -> id.split(":", 2)[0])
            .distinct()
            .map(BackendOf::named)
            .toList();
    return backends.size() == 1 ? backends.get(0) : new MixedBackend(backends);
  }

  private static Backend named(String name) {
    return ServiceLoader.load(Backend.class, BackendOf.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new UnavailableException("no backend '" + name + "'"));
  }
}
