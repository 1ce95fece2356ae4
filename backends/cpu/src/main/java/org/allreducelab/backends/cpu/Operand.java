package org.allreducelab.backends.cpu;

/**
 * An operand of a {@link BlockwiseFold}: gives its elements in the element type, block by block.
 */
abstract class Operand {
  /** Where the block lies after {@link #load}. */
  byte[] array = new byte[0];

  /** Where in the array the block starts, in bytes. */
  int offset;

  /** Makes elements {@code [from, from + length)} of the run available. */
  abstract void load(int from, int length);

  /** Elements that are read where they are. */
  static final class InPlace extends Operand {
    private final ArrayRun run;

    InPlace(ArrayRun run) {
      this.run = run;
      array = run.array;
    }

    @Override
    void load(int from, int length) {
      offset = run.at(from);
    }
  }

  /** The same element throughout: a block of them, prepared once. */
  static final class Constant extends Operand {
    Constant(byte[] block) {
      array = block;
    }

    @Override
    void load(int from, int length) {}
  }

  /** Elements that arrive in the wire type. */
  static final class Widened extends Operand {
    private final ArrayRun run;
    private final ConvertLoop widen;

    Widened(ArrayRun run, ConvertLoop widen, byte[] block) {
      this.run = run;
      this.widen = widen;
      array = block;
    }

    @Override
    void load(int from, int length) {
      widen.convert(run.array, run.at(from), array, 0, length);
    }
  }

  /** Elements that lose what the wire type cannot hold. */
  static final class ThroughWire extends Operand {
    private final ArrayRun run;
    private final ConvertLoop narrow;
    private final ConvertLoop widen;
    private final byte[] wire;

    ThroughWire(ArrayRun run, ConvertLoop narrow, ConvertLoop widen, byte[] block) {
      this.run = run;
      this.narrow = narrow;
      this.widen = widen;
      array = block;
      wire = new byte[block.length / 2];
    }

    @Override
    void load(int from, int length) {
      narrow.convert(run.array, run.at(from), wire, 0, length);
      widen.convert(wire, 0, array, 0, length);
    }
  }
}
