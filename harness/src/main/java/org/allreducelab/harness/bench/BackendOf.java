package org.allreducelab.harness.bench;

import java.util.ServiceLoader;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.UnavailableException;

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
    String name = endpointId.split(":", 2)[0];
    return ServiceLoader.load(Backend.class, BackendOf.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new UnavailableException("no backend '" + name + "'"));
  }
}
