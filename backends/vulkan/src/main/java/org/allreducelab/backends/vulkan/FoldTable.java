package org.allreducelab.backends.vulkan;

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
 * The records that fold kernels of one logical device read: where each fold's runs lie.
 *
 * <p>A record is destination, publish (addresses, 8 bytes each), elements, head, blocks, unused (4
 * bytes each), and one address per operand. {@code head} elements come before the first block of
 * eight that starts at a multiple of 16 bytes in every run; where there is no such place, head is
 * everything and no block is left.
 */
final class FoldTable {
  private static final int RECORD_BYTES = 32;

  private final GroupMemory memory;
  private final FoldPipelines pipelines;
  private final int mostGroups;
  private ByteBuffer bytes = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * @param mostGroups work groups in x beyond which invocations loop
   */
  FoldTable(GroupMemory memory, FoldPipelines pipelines, int mostGroups) {
    this.memory = memory;
    this.pipelines = pipelines;
    this.mostGroups = mostGroups;
  }

  /**
   * Folds of one kernel with one pipeline.
   *
   * @param pipeline its handle
   * @param tableOffset where its records start, in bytes
   * @param folds number of records, in y
   * @param groups work groups in x
   */
  record Dispatch(long pipeline, long tableOffset, int folds, int groups) {}

  /**
   * Adds a kernel's folds; independent of each other, so in as few dispatches as there are kinds.
   */
  List<Dispatch> add(int rank, Kernel kernel, FoldShapes shapes) {
    Map<FoldVariant, List<Fold>> byVariant = new LinkedHashMap<>();
    for (Fold fold : kernel.folds()) {
      FoldVariant variant = FoldVariant.of(fold, shapes.of(fold.sources().size()));
      byVariant.computeIfAbsent(variant, v -> new ArrayList<>()).add(fold);
    }
    List<Dispatch> dispatches = new ArrayList<>();
    byVariant.forEach(
        (variant, folds) -> {
          int offset = bytes.position();
          int groups = 1;
          for (Fold fold : folds) {
            groups = Math.max(groups, put(rank, fold));
          }
          dispatches.add(
              new Dispatch(
                  pipelines.get(variant), offset, folds.size(), Math.min(groups, mostGroups)));
        });
    return dispatches;
  }

  /** Shapes by operand count. */
  interface FoldShapes {
    FoldShape of(int operands);
  }

  /** Writes a record; returns how many work groups would give each invocation one step. */
  private int put(int rank, Fold fold) {
    int operands = fold.sources().size();
    reserve(RECORD_BYTES + 8 * operands);
    long destination = memory.address(rank, fold.destination());
    Region publish = fold.publish();
    long published = publish == null ? 0 : memory.address(rank, publish);
    int head = head(rank, fold);
    int blocks = (fold.length() - head) / FoldSource.BLOCK_ELEMENTS;
    bytes.putLong(destination).putLong(published);
    bytes.putInt(fold.length()).putInt(head).putInt(blocks).putInt(0);
    for (Source source : fold.sources()) {
      bytes.putLong(
          source.region().space() == Space.NEGATIVE_ZERO
              ? 0
              : memory.address(rank, source.region()));
    }
    int singles = fold.length() - blocks * FoldSource.BLOCK_ELEMENTS;
    int steps = Math.max(blocks, singles);
    return (steps + pipelines.workGroup() - 1) / pipelines.workGroup();
  }

  private void reserve(int more) {
    if (bytes.remaining() < more) {
      ByteBuffer larger =
          ByteBuffer.allocate(Math.max(2 * bytes.capacity(), bytes.position() + more))
              .order(ByteOrder.LITTLE_ENDIAN);
      bytes = larger.put(bytes.flip());
    }
  }

  private int head(int rank, Fold fold) {
    for (int head = 0; head < FoldSource.BLOCK_ELEMENTS && head < fold.length(); head++) {
      if (isAligned(rank, fold, head)) {
        return head;
      }
    }
    return fold.length();
  }

  private boolean isAligned(int rank, Fold fold, int element) {
    Region publish = fold.publish();
    return isAligned(rank, fold.destination(), element)
        && (publish == null || isAligned(rank, publish, element))
        && fold.sources().stream().allMatch(s -> isAligned(rank, s.region(), element));
  }

  private boolean isAligned(int rank, Region region, int element) {
    return region.space() == Space.NEGATIVE_ZERO
        || (memory.address(rank, region) + (long) element * region.type().bytes()) % 16 == 0;
  }

  /** The whole table. */
  byte[] bytes() {
    return java.util.Arrays.copyOf(bytes.array(), bytes.position());
  }
}
