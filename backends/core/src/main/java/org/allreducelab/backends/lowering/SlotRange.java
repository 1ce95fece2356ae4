package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Bytes of a rank's slot memory.
 *
 * @param owner whose
 * @param offset of the first, in bytes
 * @param bytes how many
 */
public record SlotRange(int owner, long offset, long bytes) {

  /** What a submission reads of other ranks' slots; as few ranges as cover exactly that. */
  public static List<SlotRange> readFromPeers(Submission s) {
    List<SlotRange> ranges = new ArrayList<>();
    for (Kernel kernel : s.kernels()) {
      for (Fold fold : kernel.folds()) {
        for (Source source : fold.sources()) {
          add(ranges, source.region(), fold.length());
        }
      }
    }
    ranges.removeIf(range -> range.owner() == s.rank());
    return merged(ranges);
  }

  /** What a submission writes to its own rank's slots; as few ranges as cover exactly that. */
  public static List<SlotRange> written(Submission s) {
    List<SlotRange> ranges = new ArrayList<>();
    for (Kernel kernel : s.kernels()) {
      for (Fold fold : kernel.folds()) {
        add(ranges, fold.destination(), fold.length());
        Region publish = fold.publish();
        if (publish != null) {
          add(ranges, publish, fold.length());
        }
      }
    }
    return merged(ranges);
  }

  private static void add(List<SlotRange> ranges, Region region, int elements) {
    if (region.space() == Space.SLOT) {
      long bytes = (long) elements * region.type().bytes();
      ranges.add(new SlotRange(region.rank(), region.byteOffset(), bytes));
    }
  }

  private static List<SlotRange> merged(List<SlotRange> ranges) {
    ranges.sort(Comparator.comparingInt(SlotRange::owner).thenComparingLong(SlotRange::offset));
    List<SlotRange> merged = new ArrayList<>();
    for (SlotRange next : ranges) {
      SlotRange last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && last.owner == next.owner && next.offset <= last.offset + last.bytes) {
        long end = Math.max(last.offset + last.bytes, next.offset + next.bytes);
        merged.set(merged.size() - 1, new SlotRange(last.owner, last.offset, end - last.offset));
      } else {
        merged.add(next);
      }
    }
    return merged;
  }
}
