package org.allreducelab.backends;

/**
 * Something the backend decided.
 *
 * @param value what was chosen
 * @param reason why, in a few words: {@code forced}, {@code only one}, or what was probed
 */
public record Choice<T>(T value, String reason) {}
