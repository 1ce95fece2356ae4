package org.allreducelab.harness.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of ranks to run on a group.
 *
 * @param asked what the user typed, or null
 * @param fallback the command's default
 */
public record RankChoice(@Nullable RankList asked, RankList fallback) {

  /**
   * What was asked for, else what the group fixes, else the default.
   *
   * @throws UsageException if the group fixes another number than was asked for
   */
  public List<Integer> of(DeviceGroup group) {
    int fixed = group.fixedRanks();
    if (fixed == 0) {
      return (asked == null ? fallback : asked).values();
    }
    if (asked != null && !asked.values().equals(List.of(fixed))) {
      throw new UsageException(
          "--devices "
              + group.option()
              + " fixes "
              + fixed
              + " ranks, --ranks says "
              + asked
              + "; leave one of them out");
    }
    return List.of(fixed);
  }
}
