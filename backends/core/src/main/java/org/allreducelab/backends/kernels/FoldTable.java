package org.allreducelab.backends.kernels;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Source;
import org.allreducelab.backends.lowering.Space;

/**
 * The records that fold kernels of one device read: where each fold's runs lie.
 *
 * <p>A record is destination, publish (addresses, 8 bytes each), elements, head, blocks, the
 * variant's word (4 bytes each), and one address per operand. {@code head} elements come before the
 * first block of eight that starts at a multiple of 16 bytes in every run; where there is no such
 * place, head is everything and no block is left.
 *
 * @param <B> how a dispatch names its memory
 */
public final class FoldTable<B extends FoldKernels.Binding> {
  /** Elements of one step of the body: two 16-byte accesses of f32, one of two-byte types. */
  public static final int BLOCK_ELEMENTS = 8;

  private static final int RECORD_BYTES = 32;

  private final FoldKernels<B> kernels;
  private final Groups groups;
  private ByteBuffer bytes = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

  /** How many work groups in x a fold gets. */
  public interface Groups {
    /**
     * Work groups of a fold.
     *
     * @param worth how many it would have with a step an invocation
     * @return 1 to {@code worth}; with fewer, invocations loop
     */
    int of(Fold fold, int worth);
  }

  /**
   * @param mostGroups work groups in x beyond which invocations loop
   */
  public FoldTable(FoldKernels<B> kernels, int mostGroups) {
    this(kernels, (fold, worth) -> Math.min(worth, mostGroups));
  }

  /**
   * @param groups of folds in one dispatch, the most counts
   */
  public FoldTable(FoldKernels<B> kernels, Groups groups) {
    this.kernels = kernels;
    this.groups = groups;
  }

  /**
   * Folds of one variant.
   *
   * @param <B> how a dispatch names its memory
   * @param binding the kernel and its memory
   * @param tableOffset where its records start, in bytes
   * @param folds number of records, in y
   * @param groups work groups in x
   */
  public record Dispatch<B>(B binding, long tableOffset, int folds, int groups) {}

  /**
   * Adds a kernel's folds; independent of each other, so in as few dispatches as there are kinds.
   */
  public List<Dispatch<B>> add(int rank, Kernel kernel, FoldShapes shapes) {
    Map<FoldVariant, List<Fold>> byVariant = new LinkedHashMap<>();
    for (Fold fold : kernel.folds()) {
      FoldVariant variant = FoldVariant.of(fold, shapes.of(fold.sources().size()));
      byVariant.computeIfAbsent(variant, v -> new ArrayList<>()).add(fold);
    }
    List<Dispatch<B>> dispatches = new ArrayList<>();
    byVariant.forEach(
        (variant, folds) -> {
          B binding = kernels.bind(rank, variant, folds);
          int offset = bytes.position();
          int most = 1;
          for (Fold fold : folds) {
            int worth = put(binding, fold, variant);
            most = Math.max(most, groups.of(fold, worth));
          }
          dispatches.add(new Dispatch<>(binding, offset, folds.size(), most));
        });
    return dispatches;
  }

  /** Shapes by operand count. */
  public interface FoldShapes {
    FoldShape of(int operands);
  }

  /** Writes a record; returns how many work groups are worth starting. */
  private int put(B binding, Fold fold, FoldVariant variant) {
    int operands = fold.sources().size();
    reserve(RECORD_BYTES + 8 * operands);
    long destination = binding.address(fold.destination());
    Region publish = fold.publish();
    long published = publish == null ? 0 : binding.address(publish);
    int head = head(binding, fold);
    int blocks = (fold.length() - head) / BLOCK_ELEMENTS;
    bytes.putLong(destination).putLong(published);
    bytes.putInt(fold.length()).putInt(head).putInt(blocks).putInt(variant.word());
    for (Source source : fold.sources()) {
      bytes.putLong(
          source.region().space() == Space.NEGATIVE_ZERO ? 0 : binding.address(source.region()));
    }
    int singles = fold.length() - blocks * BLOCK_ELEMENTS;
    int steps = Math.max(blocks, singles);
    return (steps + kernels.stepsPerGroup() - 1) / kernels.stepsPerGroup();
  }

  private void reserve(int more) {
    if (bytes.remaining() < more) {
      ByteBuffer larger =
          ByteBuffer.allocate(Math.max(2 * bytes.capacity(), bytes.position() + more))
              .order(ByteOrder.LITTLE_ENDIAN);
      bytes = larger.put(bytes.flip());
    }
  }

  private int head(B binding, Fold fold) {
    for (int head = 0; head < BLOCK_ELEMENTS && head < fold.length(); head++) {
      if (isAligned(binding, fold, head)) {
        return head;
      }
    }
    return fold.length();
  }

  private boolean isAligned(B binding, Fold fold, int element) {
    Region publish = fold.publish();
    return isAligned(binding, fold.destination(), element)
        && (publish == null || isAligned(binding, publish, element))
        && fold.sources().stream().allMatch(s -> isAligned(binding, s.region(), element));
  }

  private boolean isAligned(B binding, Region region, int element) {
    return region.space() == Space.NEGATIVE_ZERO
        || (binding.address(region) + (long) element * region.type().bytes()) % 16 == 0;
  }

  /** The whole table. */
  public byte[] bytes() {
    return java.util.Arrays.copyOf(bytes.array(), bytes.position());
  }
}
