package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldTable;
import org.allreducelab.backends.kernels.FoldTable.Dispatch;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Space;
import org.allreducelab.backends.lowering.Submission;
import org.allreducelab.backends.vulkan.FoldPipelines.Bound;

/**
 * A program's folds as its kernels get them: a table of them in each device's memory, and the
 * dispatches that name its records.
 */
final class PlacedFolds {
  /**
   * Work groups per kernel that goes over a link to host memory: enough to fill it, and few enough
   * for a kernel that uses the other direction to run beside it.
   */
  private static final int LINK_WORK_GROUPS = 320;

  /**
   * Those of a kernel that only writes to it: writing needs fewer, and leaves the link to the reads
   * beside it (256 MiB in 16 pieces on an H200: 7.0 ms, and 7.7 with 320 for both).
   */
  private static final int PUBLISH_WORK_GROUPS = 160;

  /** Per submission, its kernels' dispatches. */
  private final List<List<List<Dispatch<Bound>>>> dispatches = new ArrayList<>();

  /** The address of each device's table, 0 where it has none. */
  private final long[] tables;

  private PlacedFolds(int devices) {
    tables = new long[devices];
  }

  /**
   * Places them for the slot memory of the moment.
   *
   * @param closing frees the tables
   */
  static PlacedFolds of(Program program, GroupResources group, Closing closing) {
    Sites sites = group.sites();
    List<FoldTable<Bound>> byDevice = new ArrayList<>();
    for (int d = 0; d < sites.devices().size(); d++) {
      byDevice.add(table(group, d));
    }
    PlacedFolds placed = new PlacedFolds(byDevice.size());
    for (Submission s : program.submissions()) {
      FoldTable<Bound> table = byDevice.get(sites.of(s.rank()).deviceIndex());
      List<List<Dispatch<Bound>>> ofKernels = new ArrayList<>();
      for (Kernel kernel : s.kernels()) {
        ofKernels.add(
            table.add(
                s.rank(),
                kernel,
                operands -> FoldShape.of(program.precision(), program.count(), operands)));
      }
      placed.dispatches.add(ofKernels);
    }
    placed.fill(byDevice, group, closing);
    return placed;
  }

  private static FoldTable<Bound> table(GroupResources group, int device) {
    Sites sites = group.sites();
    int most = sites.devices().get(device).facts().foldWorkGroups();
    boolean throughHost = group.throughHost();
    return new FoldTable<>(
        sites.pipelines(device).on(group.memory()),
        (fold, worth) -> Math.min(worth, throughHost ? Math.min(most, onLink(fold)) : most));
  }

  private static int onLink(Fold fold) {
    return fold.destination().space() == Space.SLOT ? PUBLISH_WORK_GROUPS : LINK_WORK_GROUPS;
  }

  private void fill(List<FoldTable<Bound>> byDevice, GroupResources group, Closing closing) {
    Sites sites = group.sites();
    for (int rank = sites.ranks() - 1; rank >= 0; rank--) {
      Site site = sites.of(rank);
      int d = site.deviceIndex();
      byte[] bytes = byDevice.get(d).bytes();
      if (tables[d] == 0 && bytes.length > 0) {
        tables[d] = closing.keep(group.filled(site, bytes)).address();
      }
    }
  }

  /** The dispatches of a submission's kernel, both by index; independent of each other. */
  List<Dispatch<Bound>> dispatches(int submission, int kernel) {
    return dispatches.get(submission).get(kernel);
  }

  /** Where a device's table starts. */
  long table(int device) {
    return tables[device];
  }
}
