package org.allreducelab.backends;

/**
 * Something an endpoint can or cannot do.
 *
 * @param name short name, for instance {@code timeline-export}
 * @param present whether it can
 * @param detail where that is known from, or why it is missing
 */
public record Capability(String name, boolean present, String detail) {}
