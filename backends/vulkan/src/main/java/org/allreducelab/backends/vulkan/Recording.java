package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.DeviceTimes;
import org.allreducelab.backends.device.Recorded;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Source;
import org.allreducelab.backends.lowering.Space;
import org.allreducelab.backends.lowering.StreamStep;
import org.allreducelab.backends.lowering.StreamStep.Part;
import org.allreducelab.backends.lowering.StreamStep.PeerNeeds;
import org.allreducelab.backends.lowering.StreamSteps;
import org.allreducelab.backends.lowering.Submission;
import org.allreducelab.backends.vulkan.Step.SemaphoreWait;
import org.allreducelab.backends.vulkan.Step.Signal;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * A program as command buffers and submit structures, for the slot memory of the moment.
 *
 * <p>Every step of a stream is a command buffer, with a barrier wherever a wait inside the stream
 * or a rank's own order needs one, and a VkSubmitInfo. The steps of a queue are one batch. With
 * faults to inject every submission is a step, and every step a batch.
 */
final class Recording implements Recorded {
  private static final String KIND = "vulkan recording";

  private final Program program;
  private final GroupResources group;
  private final Closing made;
  private final List<QueueBatch> batches = new ArrayList<>();
  private final int[] stepsOfLane;

  private final List<Commands> commands = new ArrayList<>();
  private final List<CommandPool> pools = new ArrayList<>();
  private final PlacedFolds folds;
  private final @Nullable Timestamps timestamps;
  private boolean closed;

  Recording(Program program, GroupResources group) {
    this.program = program;
    this.group = group;
    Sites sites = group.sites();
    stepsOfLane = new int[group.lanes().count()];
    try (Closing closing = new Closing()) {
      folds = PlacedFolds.of(program, group, closing);
      for (int d = 0; d < sites.devices().size(); d++) {
        LogicalDevice device = sites.devices().get(d);
        pools.add(closing.keep(new CommandPool(device)));
        commands.add(new Commands(device, group.throughHost()));
      }
      timestamps = group.timestamps() ? Timestamps.of(sites, submissionsWithWork()) : null;
      if (timestamps != null) {
        closing.keep(timestamps);
      }
      batch(steps(), closing);
      made = closing.handOver();
    }
    LiveObjects.opened(KIND);
  }

  private int submissionsWithWork() {
    return (int) program.submissions().stream().filter(s -> !s.kernels().isEmpty()).count();
  }

  // --- steps
  // --------------------------------------------------------------------------------------

  private List<Step> steps() {
    List<StreamStep> planned =
        group.faults() == null
            ? StreamSteps.of(program, group.sites().streamOfRanks())
            : StreamSteps.separate(program);
    return planned.stream().map(this::step).toList();
  }

  private Step step(StreamStep planned) {
    Submission first = submission(planned.parts().get(0));
    return new Step(first.rank(), first.value(), signals(planned), record(planned), waits(planned));
  }

  private Submission submission(Part part) {
    return program.submissions().get(part.submission());
  }

  private List<Signal> signals(StreamStep planned) {
    if (group.lanes().count() == 1) {
      return List.of(new Signal(0, ++stepsOfLane[0]));
    }
    Map<Integer, Integer> last = new LinkedHashMap<>();
    for (Part part : planned.parts()) {
      last.put(submission(part).rank(), submission(part).value());
    }
    List<Signal> signals = new ArrayList<>();
    last.forEach(
        (rank, value) -> {
          stepsOfLane[rank] = value;
          signals.add(new Signal(rank, value));
        });
    return signals;
  }

  private List<SemaphoreWait> waits(StreamStep planned) {
    List<SemaphoreWait> waits = new ArrayList<>();
    // The only queue executes in order.
    if (group.lanes().count() > 1) {
      int reader = submission(planned.parts().get(0)).rank();
      for (PeerNeeds wait : planned.waits()) {
        long semaphore = group.lanes().semaphore(reader, wait.peer());
        waits.add(new SemaphoreWait(wait.peer(), semaphore, wait.needs()));
      }
    }
    return waits;
  }

  private @Nullable VkCommandBuffer record(StreamStep planned) {
    List<Part> work =
        planned.parts().stream().filter(p -> !submission(p).kernels().isEmpty()).toList();
    if (work.isEmpty()) {
      return null;
    }
    int d = group.sites().of(submission(work.get(0)).rank()).deviceIndex();
    Commands to = commands.get(d);
    VkCommandBuffer buffer = to.begin(pools.get(d));
    to.acquireForeign(buffer, writtenByOtherDevices(work));
    to.acquire(buffer);
    if (timestamps != null) {
      timestamps.start(buffer, d, planned);
    }
    planned.writeTo(
        new StreamStep.Sink() {
          @Override
          public void barrier() {
            to.between(buffer);
          }

          @Override
          public void kernel(int submission, int kernel) {
            to.dispatch(
                buffer,
                group.sites().pipelines(d).layout(),
                folds.table(d),
                folds.dispatches(submission, kernel));
          }
        },
        program);
    if (timestamps != null) {
      timestamps.end(buffer, d);
    }
    to.end(buffer);
    return buffer;
  }

  /** The buffers that submissions read and a different physical device writes. */
  private Set<Long> writtenByOtherDevices(List<Part> work) {
    Set<Long> handles = new LinkedHashSet<>();
    for (Part part : work) {
      Submission s = submission(part);
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
    }
    return handles;
  }

  private boolean isElsewhere(int rank, int reader) {
    return group.sites().of(reader).device().isApartFrom(group.sites().of(rank).device());
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
    return timestamps == null ? DeviceTimes.UNKNOWN : timestamps.read();
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
