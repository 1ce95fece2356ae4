package org.allreducelab.backends.probe;

import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;

/**
 * A way in which one endpoint reads another's bytes.
 *
 * @param transport the transport that would use it
 * @param memory the kind of memory they share, for instance {@code opaque-fd} or {@code host}
 * @param sync how the reader learns that the bytes are there
 * @param claim what the drivers say
 * @param reason where that is known from; which capability is missing
 */
public record ProbeMode(
    Transport transport, String memory, Sync sync, Claim claim, String reason) {}
