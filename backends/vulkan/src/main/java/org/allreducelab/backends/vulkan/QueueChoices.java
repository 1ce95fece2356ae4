package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.Placement.SINGLE_QUEUE;

import java.util.List;
import java.util.stream.Collectors;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.UnavailableException;
import org.jspecify.annotations.Nullable;

/** On which queues of their devices the ranks of a group run. */
final class QueueChoices {
  private final GroupSpec spec;
  private final boolean oneDevice;

  QueueChoices(GroupSpec spec) {
    this.spec = spec;
    oneDevice = spec.isOnOneEndpoint();
  }

  /**
   * The family that a device's queues are of.
   *
   * @param forced index of the one that was asked for, or null
   * @throws UnavailableException if the one that was asked for does not compute
   */
  static QueueFamily family(PhysicalDevice device, @Nullable Integer forced) {
    List<QueueFamily> families = device.facts().queueFamilies();
    if (forced != null) {
      return families.stream()
          .filter(f -> f.index() == forced && f.computes())
          .findFirst()
          .orElseThrow(
              () ->
                  new UnavailableException(
                      "queue family "
                          + forced
                          + " of "
                          + device.id()
                          + " does not compute; its families: "
                          + families));
    }
    return families.stream()
        .filter(QueueFamily::computesOnly)
        .findFirst()
        .orElseGet(() -> families.stream().filter(QueueFamily::computes).findFirst().orElseThrow());
  }

  /** Told for all devices together. */
  Choice<String> queueFamily(List<DevicePlan> plans) {
    String indices =
        plans.stream()
            .map(plan -> Integer.toString(plan.family().index()))
            .distinct()
            .collect(Collectors.joining("+"));
    if (spec.queueFamily() != null) {
      return new Choice<>(indices, Selection.FORCED);
    }
    return new Choice<>(
        indices,
        plans.stream().allMatch(plan -> plan.family().computesOnly())
            ? "computes only: no time slices with graphics"
            : "no family computes only");
  }

  /**
   * Into how many queues the ranks of a device go; null where none share one.
   *
   * @throws UnavailableException if a number is forced where they never do
   */
  @Nullable Choice<String> queues(List<DevicePlan> plans, Layout layout) {
    Integer forced = spec.queues();
    boolean never = layout.apart() && oneDevice;
    if (forced != null && (never || layout.placement() == SINGLE_QUEUE)) {
      throw new UnavailableException(
          "queues "
              + forced
              + " is for ranks that share a logical device, but with placement "
              + layout.placement().label()
              + (never ? " none do" : " they have one queue"));
    }
    boolean alone = layout.apart() && layout.mostRanks() == 1;
    if (alone || layout.placement() == SINGLE_QUEUE) {
      return null;
    }
    int streams = layout.streams(layout.mostRanks());
    // Of the devices that have fewer than their own ranks' streams.
    int present =
        layout.ranksOfDevices().stream()
            .filter(r -> plans.get(r.get(0)).family().queues() < layout.streams(r.size()))
            .mapToInt(r -> plans.get(r.get(0)).family().queues())
            .min()
            .orElse(streams);
    String why = forced != null ? Selection.FORCED : "one for each rank";
    return new Choice<>(
        Integer.toString(streams),
        present >= streams
            ? why
            : why + ", taking turns on " + (present == 1 ? "the only one" : present));
  }

  /**
   * How ranks lie on devices.
   *
   * @param family of the first rank's device
   * @throws UnavailableException if what is forced needs one device, and there are several
   */
  Choice<Placement> placement(QueueFamily family) {
    Placement forced = spec.possiblePlacement();
    if (forced != null) {
      return new Choice<>(forced, Selection.FORCED + ", queue family " + family);
    }
    if (!oneDevice) {
      return new Choice<>(Placement.PHYSICAL, "several devices");
    }
    if (spec.memory() != null) {
      return new Choice<>(
          Placement.LOGICAL, "memory " + spec.memory().label() + " is shared between devices");
    }
    if (spec.queues() != null) {
      return new Choice<>(Placement.QUEUES, "ranks are to share queues of family " + family);
    }
    if (family.queues() >= spec.ranks()) {
      return new Choice<>(Placement.QUEUES, "a queue for each rank in family " + family);
    }
    return new Choice<>(Placement.LOGICAL, spec.ranks() + " ranks, but queue family " + family);
  }
}
