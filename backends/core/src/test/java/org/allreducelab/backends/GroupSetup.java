package org.allreducelab.backends;

import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A way of opening groups that the contract is tested with.
 *
 * @param name shown in test names
 * @param endpoints the endpoint of each rank, for a number of ranks
 * @param placement forced placement, or null
 * @param transport forced transport, or null
 * @param sync forced synchronisation, or null
 */
public record GroupSetup(
    String name,
    IntFunction<List<String>> endpoints,
    @Nullable Placement placement,
    @Nullable Transport transport,
    @Nullable Sync sync) {

  /** All ranks on one endpoint. */
  public static GroupSetup on(
      String endpoint,
      @Nullable Placement placement,
      @Nullable Transport transport,
      @Nullable Sync sync) {
    StringBuilder name = new StringBuilder(endpoint);
    for (Object forced : new @Nullable Object[] {placement, transport, sync}) {
      if (forced != null) {
        name.append(' ').append(forced);
      }
    }
    return new GroupSetup(
        name.toString(), n -> Collections.nCopies(n, endpoint), placement, transport, sync);
  }

  /** Starts the spec of a group of {@code ranks} ranks. */
  GroupSpec.Builder spec(int ranks) {
    return GroupSpec.builder(endpoints.apply(ranks))
        .placement(placement)
        .transport(transport)
        .sync(sync);
  }

  @Override
  public String toString() {
    return name;
  }
}
