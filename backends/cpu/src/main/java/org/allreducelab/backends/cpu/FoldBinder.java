package org.allreducelab.backends.cpu;

import java.util.List;
import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Source;
import org.allreducelab.backends.lowering.Space;
import org.jspecify.annotations.Nullable;

/** Binds a program's folds to arrays and to the loops that its precision needs. */
final class FoldBinder {
  /** Elements per block when operands are converted: 8 KiB of f32 for two of them. */
  private static final int CONVERTED_BLOCK = 1024;

  /** Elements per block when only the result is passed on. */
  private static final int PUBLISHED_BLOCK = 4096;

  private final RankMemory memory;
  private final LoopSet loops;
  private final ElementType element;
  private final ElementType wire;
  private final Narrowing narrowing;
  private final Accumulate accumulate;

  FoldBinder(RankMemory memory, LoopSet loops, Precision precision, int count) {
    this.memory = memory;
    this.loops = loops;
    element = precision.element();
    wire = precision.wireFor(count);
    narrowing = precision.narrowing();
    accumulate = precision.accumulate();
  }

  Task bind(Fold work) {
    Source first = work.sources().get(0);
    if (work.sources().size() == 1
        && work.publish() == null
        && !first.throughWire()
        && first.region().space() != Space.NEGATIVE_ZERO) {
      return single(first.region(), work.destination(), work.length());
    }
    requireElement(work.destination());
    boolean plain = work.publish() == null && work.sources().stream().allMatch(this::isPlain);
    return plain ? plain(work) : blockwise(work);
  }

  private boolean isPlain(Source source) {
    return !source.throughWire()
        && source.region().space() != Space.NEGATIVE_ZERO
        && source.region().type() == element;
  }

  private Task single(Region source, Region destination, int length) {
    ArrayRun from = memory.run(source);
    ArrayRun to = memory.run(destination);
    if (from.type == to.type) {
      return new CopyTask(from, to, Math.multiplyExact(length, from.type.bytes()));
    }
    ConvertLoop loop =
        to.type == ElementType.F32 ? loops.widen(from.type) : loops.narrow(to.type, narrowing);
    return new ConvertTask(from, to, length, loop);
  }

  private Task plain(Fold work) {
    List<Source> from = work.sources();
    byte[][] sources = new byte[from.size()][];
    int[] offsets = new int[from.size()];
    for (int k = 0; k < sources.length; k++) {
      ArrayRun run = memory.run(from.get(k).region());
      sources[k] = run.array;
      offsets[k] = run.offset;
    }
    return new PlainFold(
        sources, offsets, memory.run(work.destination()), work.length(), fold(work));
  }

  private Task blockwise(Fold work) {
    boolean converts = !work.sources().stream().allMatch(this::isPlain);
    int block = Math.min(work.length(), converts ? CONVERTED_BLOCK : PUBLISHED_BLOCK);
    Operand[] operands =
        work.sources().stream().map(s -> operand(s, block)).toArray(Operand[]::new);
    ArrayRun publish = null;
    ConvertLoop narrow = null;
    if (work.publish() != null) {
      publish = memory.run(work.publish());
      narrow = publish.type == element ? null : loops.narrow(publish.type, narrowing);
    }
    return new BlockwiseFold(
        operands,
        memory.run(work.destination()),
        publish,
        narrow,
        work.length(),
        block,
        fold(work));
  }

  /** One for each task: a worker's tasks run one after the other, but workers run at once. */
  private FoldLoop fold(Fold work) {
    return loops.fold(element, accumulate, work.sources().size());
  }

  private Operand operand(Source source, int block) {
    if (source.region().space() == Space.NEGATIVE_ZERO) {
      return new Operand.Constant(negativeZeros(block));
    }
    ArrayRun run = memory.run(source.region());
    byte @Nullable [] converted = isPlain(source) ? null : new byte[block * element.bytes()];
    if (converted == null) {
      return new Operand.InPlace(run);
    }
    return source.throughWire()
        ? new Operand.ThroughWire(run, loops.narrow(wire, narrowing), loops.widen(wire), converted)
        : new Operand.Widened(run, loops.widen(run.type), converted);
  }

  private byte[] negativeZeros(int length) {
    byte[] zeros = new byte[length * element.bytes()];
    for (int i = 0; i < length; i++) {
      element.put(zeros, i, element.signBit());
    }
    return zeros;
  }

  private void requireElement(Region destination) {
    if (destination.type() != element) {
      throw new IllegalArgumentException(
          "the result of a fold of several sources is " + element.label() + ": " + destination);
    }
  }
}
