package org.allreducelab.backends.probe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs one mode's probe, whatever moves the bytes. */
public final class ProbeSweep {
  private ProbeSweep() {}

  /** Moves bytes from one endpoint to another in one mode. */
  public interface Mover {
    /** Moves a block; null if every byte is right, in it and around it. */
    @Nullable WrongByte move(Attempt attempt);

    /** How fast the reader reads, in 1e9 bytes a second. */
    double readGbPerS(Engine engine, long bytes);

    /** How long a hop takes, in microseconds. */
    double hopUs();
  }

  /** Moves every block with every engine until a byte is wrong; then measures. */
  public static ProbeFinding run(Mover mover, List<Block> sweep, ProbeProgress progress) {
    for (Block block : sweep) {
      for (Engine engine : Engine.values()) {
        Attempt attempt = new Attempt(engine, block);
        progress.attempt(attempt);
        WrongByte wrong = mover.move(attempt);
        if (wrong != null) {
          return ProbeFinding.corrupt(
              wrong,
              wrong.index() < 0 || wrong.index() >= block.bytes() ? "outside the block" : "");
        }
      }
    }
    long most = sweep.stream().mapToLong(Block::bytes).max().orElseThrow();
    progress.step("measure bandwidth");
    double copy = mover.readGbPerS(Engine.COPY, most);
    double kernel = mover.readGbPerS(Engine.KERNEL, most);
    progress.step("measure hops");
    return ProbeFinding.ok(new Speed(copy, kernel, mover.hopUs()));
  }
}
