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
 * @param queues forced number of queues that the ranks of a device share, or null
 */
public record GroupSetup(
    String name,
    IntFunction<List<String>> endpoints,
    @Nullable Placement placement,
    @Nullable Transport transport,
    @Nullable Sync sync,
    @Nullable Integer queues) {

  /** Every device is the backend's to use as it likes. */
  public GroupSetup(String name, IntFunction<List<String>> endpoints) {
    this(name, endpoints, null, null, null, null);
  }

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
        name.toString(), n -> Collections.nCopies(n, endpoint), placement, transport, sync, null);
  }

  /** The same with all ranks of a device in that many queues. */
  public GroupSetup inQueues(int count) {
    return new GroupSetup(
        name + " in " + count + " queues", endpoints, placement, transport, sync, count);
  }

  /** Starts the spec of a group of {@code ranks} ranks. */
  GroupSpec.Builder spec(int ranks) {
    return GroupSpec.builder(endpoints.apply(ranks))
        .placement(placement)
        .transport(transport)
        .sync(sync)
        .queues(queues);
  }

  @Override
  public String toString() {
    return name;
  }
}
