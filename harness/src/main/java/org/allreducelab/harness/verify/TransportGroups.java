package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.SharedOptions;
import org.jspecify.annotations.Nullable;

/**
 * One open group with the transport that was forced; or else one with what the backend chooses, and
 * one with staging where that is not what it chose. A direct transport that no specification
 * promises, such as opaque-fd memory between two devices, is tried only if the backend chooses it.
 */
final class TransportGroups implements AutoCloseable {
  private final List<TransportGroup> groups = new ArrayList<>();

  private TransportGroups() {}

  /**
   * Opens groups for the devices, ranks and precision of a case.
   *
   * @throws UnavailableException if the devices have no transport, or not what was forced
   */
  static TransportGroups open(SharedOptions options, Case c, long capacityBytes) {
    TransportGroups opened = new TransportGroups();
    Transport forced = options.forced().transport();
    try {
      TransportGroup first = open(options, c, forced, capacityBytes);
      opened.groups.add(first);
      if (forced == null && first.transport() != Transport.STAGED_HOST) {
        opened.addStaged(options, c, capacityBytes);
      }
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private void addStaged(SharedOptions options, Case c, long capacityBytes) {
    try {
      groups.add(open(options, c, Transport.STAGED_HOST, capacityBytes));
    } catch (UnavailableException e) {
      // The devices cannot stage through host memory: nothing runs that way, so nothing is wrong.
      return;
    }
  }

  private static TransportGroup open(
      SharedOptions options, Case c, @Nullable Transport transport, long capacityBytes) {
    return new TransportGroup(
        () ->
            c.group()
                .backend()
                .open(
                    options
                        .groupSpec(c.group(), c.ranks(), c.precision(), capacityBytes)
                        .transport(transport)
                        .build()),
        c.precision().element().bytes());
  }

  List<TransportGroup> all() {
    return groups;
  }

  @Override
  public void close() {
    groups.forEach(TransportGroup::close);
  }
}
