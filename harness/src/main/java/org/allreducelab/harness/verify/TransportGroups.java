package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.SharedOptions;

/** One open group for each transport that the devices have, or for the one that was forced. */
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
    UnavailableException why = null;
    try {
      for (Transport transport : forced == null ? Transport.values() : new Transport[] {forced}) {
        try {
          opened.groups.add(open(options, c, transport, capacityBytes));
        } catch (UnavailableException e) {
          // Of direct, which a forced kind of memory is for.
          why = why == null ? e : why;
        }
      }
      if (opened.groups.isEmpty() && why != null) {
        throw why;
      }
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private static TransportGroup open(
      SharedOptions options, Case c, Transport transport, long capacityBytes) {
    return new TransportGroup(
        transport,
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
