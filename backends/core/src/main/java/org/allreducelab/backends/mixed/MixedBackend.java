package org.allreducelab.backends.mixed;

import java.util.List;
import java.util.stream.Collectors;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.DeviceGroup;
import org.allreducelab.backends.device.HostDrivenEngine;
import org.allreducelab.backends.device.RankDevice;

/**
 * Several backends together: ranks on any of their endpoints, which share nothing but the host.
 * Transport is {@code staged-host}, sync is {@code proxy}; {@link HostDrivenEngine} says why that
 * is right.
 *
 * @param backends each with another name
 */
public record MixedBackend(List<Backend> backends) implements Backend {
  private static final String NAME = "mixed";

  public MixedBackend {
    backends = List.copyOf(backends);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** All endpoints of all its backends. */
  @Override
  public List<Endpoint> endpoints() {
    return backends.stream().flatMap(b -> b.endpoints().stream()).toList();
  }

  @Override
  public String absence() {
    return backends.stream()
        .map(Backend::absence)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  @Override
  public Group open(GroupSpec spec) {
    spec.requireNoDriverModel();
    requireOwnChoices(spec);
    refuse(
        spec.placement() != null && spec.placement() != Placement.PHYSICAL, "placement physical");
    refuse(spec.transport() == Transport.DIRECT, "transport staged-host");
    refuse(spec.sync() == Sync.NATIVE, "sync proxy");
    HostDrivenEngine engine = new HostDrivenEngine(spec, rank -> openRank(spec, rank));
    Barrier forced = spec.barrier();
    Choices choices =
        new Choices(
            new Choice<>(Placement.PHYSICAL, "devices of several backends"),
            new Choice<>(Transport.STAGED_HOST, "they share the host's memory only"),
            new Choice<>(Sync.PROXY, "they share no signals"),
            forced == null
                ? new Choice<>(Barrier.PAIRWISE, "a wait for a peer is a load of the host")
                : new Choice<>(forced, "forced"),
            new Choice<>(engine.kernels(), "each device's own"));
    return new DeviceGroup<>(spec, choices, NAME, engine);
  }

  private static void refuse(boolean wrong, String only) {
    if (wrong) {
      throw new UnavailableException("ranks on devices of several backends have " + only + " only");
    }
  }

  @Override
  public RankDevice openRank(GroupSpec spec, int rank) {
    String id = spec.endpoints().get(rank);
    String name = id.split(":", 2)[0];
    return backends.stream()
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new UnavailableException("no backend '" + name + "' for " + id))
        .openRank(spec, rank);
  }
}
