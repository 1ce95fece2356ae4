package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;

/** The backends on the class path, and what they found here. {@code cpu} comes first. */
public final class Inventory {
  private final List<Backend> backends;

  private Inventory(List<Backend> backends) {
    this.backends =
        backends.stream()
            .sorted(
                Comparator.comparing((Backend b) -> !b.name().equals("cpu"))
                    .thenComparing(Backend::name))
            .collect(Collectors.toUnmodifiableList());
  }

  /** The backends that {@link ServiceLoader} finds. */
  public static Inventory load() {
    List<Backend> found = new ArrayList<>();
    ServiceLoader.load(Backend.class, Inventory.class.getClassLoader()).forEach(found::add);
    return new Inventory(found);
  }

  public static Inventory of(List<Backend> backends) {
    return new Inventory(backends);
  }

  public List<Backend> backends() {
    return backends;
  }

  /** Every endpoint of every backend. */
  public List<Endpoint> endpoints() {
    return backends.stream()
        .flatMap(b -> b.endpoints().stream())
        .collect(Collectors.toUnmodifiableList());
  }

  /** One clause: which ids are here, and for each backend without endpoints why. */
  String present() {
    String here = endpoints().stream().map(Endpoint::id).collect(Collectors.joining(", "));
    String absent =
        backends.stream()
            .filter(b -> b.endpoints().isEmpty())
            .map(b -> "; no " + b.name() + ": " + b.absence())
            .collect(Collectors.joining());
    return (here.isEmpty() ? "nothing is here" : "here: " + here) + absent;
  }
}
