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
    OptionalDouble bothReadGbPerS(Engine engine, long bytes);

    /**
     * Each side writes to its own shared memory and reads from the other's at the same time; null
     * if they cannot, or if no transport would.
     *
     * @param bytes of which a side may write one half while it reads the other
     */
    @Nullable Exchange exchange(Engine engine, long bytes);

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
    return measure(mover, sweep.stream().mapToLong(Block::bytes).max().orElseThrow(), progress);
  }

  private static ProbeFinding measure(Mover mover, long bytes, ProbeProgress progress) {
    progress.step("measure bandwidth");
    Rate alone =
        new Rate(mover.readGbPerS(Engine.COPY, bytes), mover.readGbPerS(Engine.KERNEL, bytes));
    progress.step("measure bandwidth while both sides read");
    OptionalDouble copy = mover.bothReadGbPerS(Engine.COPY, bytes);
    Rate bothRead =
        copy.isEmpty()
            ? null
            : new Rate(
                copy.getAsDouble(), mover.bothReadGbPerS(Engine.KERNEL, bytes).orElseThrow());
    Exchange byCopy = exchange(mover, Engine.COPY, bytes, progress);
    if (byCopy != null && byCopy.wrong() != null) {
      return ProbeFinding.corrupt(byCopy.wrong().first(), byCopy.wrong().detail());
    }
    Exchange byKernel = byCopy == null ? null : exchange(mover, Engine.KERNEL, bytes, progress);
    if (byKernel != null && byKernel.wrong() != null) {
      return ProbeFinding.corrupt(byKernel.wrong().first(), byKernel.wrong().detail());
    }
    Rate bothWays =
        byCopy == null || byKernel == null ? null : new Rate(byCopy.gbPerS(), byKernel.gbPerS());
    progress.step("measure hops");
    return ProbeFinding.ok(new Speed(alone, bothRead, bothWays, mover.hopUs()));
  }

  private static @Nullable Exchange exchange(
      Mover mover, Engine engine, long bytes, ProbeProgress progress) {
    progress.step("write and read at once on both sides, by " + engine.label());
    return mover.exchange(engine, bytes);
  }
}
