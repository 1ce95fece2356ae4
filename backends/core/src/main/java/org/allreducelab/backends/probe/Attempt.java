package org.allreducelab.backends.probe;

/**
 * One try to move a block.
 *
 * @param engine what moves it, on both devices
 * @param block what is moved
 * @param place what was there before
 */
public record Attempt(Engine engine, Block block, Place place) {
  @Override
  public String toString() {
    return engine.label()
        + " of "
        + block.bytes()
        + " bytes at offset "
        + block.offset()
        + place.words();
  }
}
