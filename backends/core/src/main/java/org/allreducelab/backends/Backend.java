package org.allreducelab.backends;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.probe.PairProbe;

/**
 * A way to run collectives: the CPU's threads, Vulkan, OpenCL. Found by {@link
 * java.util.ServiceLoader}.
 *
 * @implSpec {@link #endpoints()} is safe to call where no driver is installed: it returns an empty
 *     list and {@link #absence()} says why.
 */
public interface Backend {
  /** The first part of its endpoints' ids: {@code cpu}, {@code vulkan}, {@code opencl}. */
  String name();

  /** What this backend can run on here, in a stable order. */
  List<Endpoint> endpoints();

  /** Why {@link #endpoints()} is empty and what would change that; an empty string otherwise. */
  String absence();

  /** What this backend chooses beyond what all backends do. */
  default Set<OwnChoice> ownChoices() {
    return Set.of();
  }

  /**
   * Refuses what is forced of what this backend has no choice of.
   *
   * @implSpec {@link #open} starts with it.
   * @throws UnavailableException if there is such a thing
   */
  default void requireOwnChoices(GroupSpec spec) {
    for (OwnChoice forced : spec.ownChoices()) {
      if (!ownChoices().contains(forced)) {
        throw new UnavailableException(
            name() + " has no choice of " + forced.label() + "; leave it out there");
      }
    }
  }

  /**
   * Opens a group of ranks. Everything that can be chosen is chosen here, and told by {@link
   * Group#choices()}.
   *
   * @throws UnavailableException if a forced choice needs a capability that an endpoint lacks
   * @throws BackendException if the device refuses
   */
  Group open(GroupSpec spec);

  /**
   * Opens one rank of a group whose ranks are on endpoints that share nothing but the host: of
   * different backends, that is.
   *
   * @param spec of the whole group
   * @param rank one whose endpoint is of this backend
   * @throws UnavailableException if the endpoint is not here or cannot do that
   * @throws BackendException if the device refuses
   */
  default RankDevice openRank(GroupSpec spec, int rank) {
    throw new UnavailableException(
        "the " + name() + " backend takes no part in groups of several backends");
  }

  /**
   * Tries out what the drivers of its endpoints claim; empty where there is nothing to doubt, since
   * no driver is involved.
   */
  default Optional<PairProbe> pairProbe() {
    return Optional.empty();
  }
}
