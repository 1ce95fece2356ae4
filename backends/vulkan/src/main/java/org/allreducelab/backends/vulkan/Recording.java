package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.DeviceTimes;
import org.allreducelab.backends.device.Recorded;
import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldTable;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.PeerWait;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Source;
import org.allreducelab.backends.lowering.Space;
import org.allreducelab.backends.lowering.Submission;
import org.allreducelab.backends.lowering.Wait;
import org.allreducelab.backends.vulkan.FoldPipelines.Bound;
import org.allreducelab.backends.vulkan.Step.SemaphoreWait;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * A program as command buffers and submit structures, for the slot memory of the moment.
 *
 * <p>With a lane per rank each submission is a step, and the steps of a queue are one batch, in the
 * program's global order. On a single queue all submissions are one command buffer with a barrier
 * wherever a wait or a rank's own order needs one. With faults to inject every step is a batch.
 */
final class Recording implements Recorded {
  private static final String KIND = "vulkan recording";

  /** Work groups per kernel on a software driver: each one costs, and cores are few. */
  private static final int CPU_WORK_GROUPS = 16;

  /**
   * Work groups per kernel that goes over a link to host memory: enough to fill it, and few enough
   * for a kernel that uses the other direction to run beside it.
   */
  private static final int LINK_WORK_GROUPS = 320;

  private final Program program;
  private final GroupResources group;
  private final Closing made;
  private final List<QueueBatch> batches = new ArrayList<>();
  private final int[] stepsOfLane;

  /** Per submission, its kernels' dispatches. */
  private final List<List<List<FoldTable.Dispatch<Bound>>>> dispatches = new ArrayList<>();

  private final List<Commands> commands = new ArrayList<>();
  private final List<CommandPool> pools = new ArrayList<>();
  private final long[] tables;
  private final @Nullable Timestamps timestamps;
  private boolean closed;

  Recording(Program program, GroupResources group) {
    this.program = program;
    this.group = group;
    Sites sites = group.sites();
    stepsOfLane = new int[group.lanes().count()];
    tables = new long[sites.devices().size()];
    try (Closing closing = new Closing()) {
      placeFolds(closing);
      for (int d = 0; d < sites.devices().size(); d++) {
        LogicalDevice device = sites.devices().get(d);
        pools.add(closing.keep(new CommandPool(device)));
        commands.add(new Commands(device, group.throughHost()));
      }
      timestamps = group.timestamps() ? Timestamps.of(sites, submissionsWithWork()) : null;
      if (timestamps != null) {
        closing.keep(timestamps);
      }
      List<Step> steps = group.merges() ? List.of(merged()) : separate();
      batch(steps, closing);
      made = closing.handOver();
    }
    LiveObjects.opened(KIND);
  }

  private int submissionsWithWork() {
    return (int) program.submissions().stream().filter(s -> !s.kernels().isEmpty()).count();
  }

  private void placeFolds(Closing closing) {
    Sites sites = group.sites();
    List<FoldTable<Bound>> byDevice = new ArrayList<>();
    for (int d = 0; d < sites.devices().size(); d++) {
      DeviceFacts facts = sites.devices().get(d).facts();
      int most = facts.isCpu() ? CPU_WORK_GROUPS : facts.maxWorkGroups();
      if (group.throughHost()) {
        most = Math.min(most, LINK_WORK_GROUPS);
      }
      byDevice.add(new FoldTable<>(sites.pipelines(d).on(group.memory()), most));
    }
    for (Submission s : program.submissions()) {
      FoldTable<Bound> table = byDevice.get(sites.of(s.rank()).deviceIndex());
      List<List<FoldTable.Dispatch<Bound>>> ofKernels = new ArrayList<>();
      for (Kernel kernel : s.kernels()) {
        ofKernels.add(
            table.add(
                s.rank(),
                kernel,
                operands -> FoldShape.of(program.precision(), program.count(), operands)));
      }
      dispatches.add(ofKernels);
    }
    for (int rank = sites.ranks() - 1; rank >= 0; rank--) {
      Site site = sites.of(rank);
      int d = site.deviceIndex();
      byte[] bytes = byDevice.get(d).bytes();
      if (tables[d] == 0 && bytes.length > 0) {
        DeviceBuffer table = closing.keep(DeviceBuffer.local(site.device(), bytes.length));
        group.transfers(d).write(site.queue(), table, 0, bytes);
        tables[d] = table.address();
      }
    }
  }

  // --- a step per submission
  // ----------------------------------------------------------------------

  private List<Step> separate() {
    boolean oneLane = group.lanes().count() == 1;
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < program.submissions().size(); i++) {
      Submission s = program.submissions().get(i);
      int lane = oneLane ? 0 : s.rank();
      List<SemaphoreWait> waits = oneLane ? List.of() : waits(s);
      steps.add(new Step(s.rank(), s.value(), lane, ++stepsOfLane[lane], record(i, s), waits));
    }
    return steps;
  }

  private List<SemaphoreWait> waits(Submission s) {
    List<SemaphoreWait> waits = new ArrayList<>();
    for (PeerWait wait : PeerWait.of(s, program.ranks())) {
      long semaphore = group.lanes().semaphore(s.rank(), wait.peer());
      waits.add(new SemaphoreWait(wait, semaphore));
    }
    return waits;
  }

  private @Nullable VkCommandBuffer record(int index, Submission s) {
    if (s.kernels().isEmpty()) {
      return null;
    }
    int d = group.sites().of(s.rank()).deviceIndex();
    Commands to = commands.get(d);
    VkCommandBuffer buffer = to.begin(pools.get(d));
    to.acquireForeign(buffer, writtenByOtherDevices(s));
    to.acquire(buffer);
    if (timestamps != null) {
      timestamps.start(buffer, d, s.rank());
    }
    boolean first = true;
    for (List<FoldTable.Dispatch<Bound>> kernel : dispatches.get(index)) {
      if (!first) {
        to.between(buffer);
      }
      first = false;
      to.dispatch(buffer, group.sites().pipelines(d).layout(), tables[d], kernel);
    }
    if (timestamps != null) {
      timestamps.end(buffer, d);
    }
    to.end(buffer);
    return buffer;
  }

  /** The buffers that a submission reads and a different physical device writes. */
  private Set<Long> writtenByOtherDevices(Submission s) {
    Set<Long> handles = new LinkedHashSet<>();
    for (Kernel kernel : s.kernels()) {
      for (Fold fold : kernel.folds()) {
        for (Source source : fold.sources()) {
          Region region = source.region();
          if (region.space() != Space.NEGATIVE_ZERO && isElsewhere(region.rank(), s.rank())) {
            handles.add(group.memory().seen(s.rank(), region).handle());
          }
        }
      }
    }
    return handles;
  }

  private boolean isElsewhere(int rank, int reader) {
    return !group
        .sites()
        .of(rank)
        .device()
        .physical()
        .equals(group.sites().of(reader).device().physical());
  }

  // --- one step for everything
  // --------------------------------------------------------------------

  private Step merged() {
    Commands to = commands.get(0);
    VkCommandBuffer buffer = to.begin(pools.get(0));
    to.acquire(buffer);
    if (timestamps != null) {
      timestamps.start(buffer, 0, 0);
    }
    int[] recorded = new int[program.ranks()];
    int[] settled = new int[program.ranks()];
    for (int i = 0; i < program.submissions().size(); i++) {
      Submission s = program.submissions().get(i);
      boolean due = recorded[s.rank()] > settled[s.rank()];
      for (Wait wait : s.waits()) {
        due |= wait.value() > settled[wait.rank()];
      }
      for (List<FoldTable.Dispatch<Bound>> kernel : dispatches.get(i)) {
        if (due) {
          to.between(buffer);
          System.arraycopy(recorded, 0, settled, 0, recorded.length);
        }
        to.dispatch(buffer, group.sites().pipelines(0).layout(), tables[0], kernel);
        due = true;
      }
      recorded[s.rank()] = s.value();
    }
    if (timestamps != null) {
      timestamps.end(buffer, 0);
    }
    to.end(buffer);
    stepsOfLane[0] = 1;
    return new Step(0, 1, 0, 1, buffer, List.of());
  }

  // --- batches
  // ------------------------------------------------------------------------------------

  private void batch(List<Step> steps, Closing closing) {
    Sites sites = group.sites();
    if (group.faults() != null) {
      for (Step step : steps) {
        batches.add(closing.keep(batch(sites.of(step.rank()), List.of(step))));
      }
      return;
    }
    for (int q = 0; q < sites.queues(); q++) {
      int queue = q;
      List<Step> ofQueue =
          steps.stream().filter(s -> sites.of(s.rank()).queueIndex() == queue).toList();
      if (!ofQueue.isEmpty()) {
        Site site = sites.of(ofQueue.get(0).rank());
        batches.add(closing.keep(batch(site, ofQueue)));
      }
    }
  }

  private QueueBatch batch(Site site, List<Step> steps) {
    return new QueueBatch(site, group.lanes(), steps, timestamps != null);
  }

  @Override
  public DeviceTimes times() {
    if (timestamps == null) {
      return DeviceTimes.UNKNOWN;
    }
    long deviceNs = 0;
    long kernelsNs = 0;
    for (DeviceSpan span : timestamps.read()) {
      deviceNs = Math.max(deviceNs, span.spanNs());
      kernelsNs = Math.max(kernelsNs, span.busiestRankNs());
    }
    return new DeviceTimes(deviceNs, kernelsNs);
  }

  @Override
  public int steps(int lane) {
    return stepsOfLane[lane];
  }

  /**
   * Starts an invocation.
   *
   * @param progress per lane, its value when everything enqueued before is done
   */
  void submit(GroupClock clock, long[] progress) {
    if (timestamps != null) {
      timestamps.reset();
    }
    FaultInjector faults = group.faults();
    for (int i = 0; i < batches.size(); i++) {
      if (faults == null) {
        batches.get(i).submit(clock, progress);
      } else {
        faults.submit(batches.get(i), clock, progress);
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      made.close();
      LiveObjects.closed(KIND);
    }
  }
}
