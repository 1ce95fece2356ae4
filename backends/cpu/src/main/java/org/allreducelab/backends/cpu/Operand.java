package org.allreducelab.backends.cpu;

/**
 * An operand of a {@link BlockwiseFold}: gives its elements in the element type, block by block.
 */
abstract class Operand {
  /** Where every block lies after {@link #load}. */
  final byte[] array;

  /** Where in the array the block starts, in bytes. */
  int offset;

  Operand(byte[] array) {
    this.array = array;
  }

  /** Makes elements {@code [from, from + length)} of the run available. */
  abstract void load(int from, int length);

  /** Elements that are read where they are. */
  static final class InPlace extends Operand {
    private final ArrayRun run;

    InPlace(ArrayRun run) {
      super(run.array);
      this.run = run;
    }

    @Override
    void load(int from, int length) {
      offset = run.at(from);
    }
  }

  /** The same element throughout: a block of them, prepared once. */
  static final class Constant extends Operand {
    Constant(byte[] block) {
      super(block);
    }

    @Override
    void load(int from, int length) {}
  }

  /** Elements that arrive in the wire type. */
  static final class Widened extends Operand {
    private final ArrayRun run;
    private final ConvertLoop widen;

    Widened(ArrayRun run, ConvertLoop widen, byte[] block) {
      super(block);
      this.run = run;
      this.widen = widen;
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
      super(block);
      this.run = run;
      this.narrow = narrow;
      this.widen = widen;
      wire = new byte[block.length / 2];
    }

    @Override
    void load(int from, int length) {
      narrow.convert(run.array, run.at(from), wire, 0, length);
      widen.convert(wire, 0, array, 0, length);
    }
  }
}
