package org.allreducelab.backends.lowering;

/**
 * An operand of a fold.
 *
 * @param region where it is read
 * @param throughWire whether each value is narrowed to the wire type and widened again when read: a
 *     rank's own operand where the precision says so
 */
public record Source(Region region, boolean throughWire) {}
