package org.allreducelab.backends.probe;

import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Runs one mode's probe, whatever moves the bytes. */
public final class ProbeSweep {
  private ProbeSweep() {}

  /** Moves bytes from one endpoint to another in one mode. */
  public interface Mover {
    /** Moves a block; null if every byte is right, in it and around it. */
    @Nullable WrongByte move(Engine engine, Block block);

    /** Moves two blocks through one place; null if every byte of both is right. */
    @Nullable Wrong moveTwice(Engine engine, Reuse reuse);

    /** How fast the reader reads, in 1e9 bytes a second. */
    double readGbPerS(Engine engine, long bytes);

    /** The same while the writer reads what the reader wrote; empty if it cannot. */
    OptionalDouble readBothWaysGbPerS(Engine engine, long bytes);

    /** How long a hop takes, in microseconds. */
    double hopUs();
  }

  /** How many bytes must be shared for a sweep. */
  public static long bytes(List<Block> sweep) {
    return Math.max(Reuse.BYTES, sweep.stream().mapToLong(Block::end).max().orElseThrow());
  }

  /** Moves every block with every engine, then twice through one place; then measures. */
  public static ProbeFinding run(Mover mover, List<Block> sweep, ProbeProgress progress) {
    for (Block block : sweep) {
      for (Engine engine : Engine.values()) {
        progress.attempt(new Attempt(engine, block, Place.FRESH));
        WrongByte wrong = mover.move(engine, block);
        if (wrong != null) {
          return ProbeFinding.corrupt(wrong, BlockCheck.whereabouts(wrong, block.bytes()));
        }
      }
    }
    for (Reuse reuse : Reuse.standard()) {
      for (Engine engine : Engine.values()) {
        progress.attempt(new Attempt(engine, reuse.again(), reuse.place()));
        Wrong wrong = mover.moveTwice(engine, reuse);
        if (wrong != null) {
          return ProbeFinding.corrupt(wrong.first(), wrong.detail());
        }
      }
    }
    return ProbeFinding.ok(
        measure(mover, sweep.stream().mapToLong(Block::bytes).max().orElseThrow(), progress));
  }

  private static Speed measure(Mover mover, long bytes, ProbeProgress progress) {
    progress.step("measure bandwidth");
    ReadRate alone =
        new ReadRate(mover.readGbPerS(Engine.COPY, bytes), mover.readGbPerS(Engine.KERNEL, bytes));
    progress.step("measure bandwidth with both directions at once");
    OptionalDouble copy = mover.readBothWaysGbPerS(Engine.COPY, bytes);
    ReadRate bothWays =
        copy.isEmpty()
            ? null
            : new ReadRate(
                copy.getAsDouble(), mover.readBothWaysGbPerS(Engine.KERNEL, bytes).orElseThrow());
    progress.step("measure hops");
    return new Speed(alone, bothWays, mover.hopUs());
  }
}
