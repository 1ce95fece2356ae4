package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;

/**
 * What a user forces of what a backend chooses otherwise; null is the backend's choice.
 *
 * @param placement how ranks lie on devices
 * @param transport how peers' values are reached
 * @param sync how ranks wait for each other
 * @param barrier how rounds with many waits are synchronised
 * @param memory through which handle device memory is shared
 * @param queueFamily index of the queue family
 * @param queues how many queues the ranks of a device share
 */
public record ForcedChoices(
    @Nullable Placement placement,
    @Nullable Transport transport,
    @Nullable Sync sync,
    @Nullable Barrier barrier,
    @Nullable SharedMemory memory,
    @Nullable Integer queueFamily,
    @Nullable Integer queues) {

  /** Everything is the backend's. */
  public static final ForcedChoices NONE =
      new ForcedChoices(null, null, null, null, null, null, null);

  /** The names of all choices: those of the options without dashes. */
  public static final List<String> NAMES =
      List.of("placement", "transport", "sync", "barrier", "memory", "queue-family", "queues");

  /**
   * The choices that {@link #labels()} came from.
   *
   * @param labels by name; a name that is missing is the backend's choice
   * @throws UsageException if a label is unknown
   * @throws NumberFormatException if the queue family or the number of queues is no number
   */
  public static ForcedChoices of(Map<String, String> labels) {
    return new ForcedChoices(
        find(labels, "placement", Placement.values(), Placement::label),
        find(labels, "transport", Transport.values(), Transport::label),
        find(labels, "sync", Sync.values(), Sync::label),
        find(labels, "barrier", Barrier.values(), Barrier::label),
        find(labels, "memory", SharedMemory.values(), SharedMemory::label),
        number(labels.get("queue-family")),
        number(labels.get("queues")));
  }

  private static @Nullable Integer number(@Nullable String text) {
    return text == null ? null : Integer.valueOf(text);
  }

  private static <T> @Nullable T find(
      Map<String, String> labels, String name, T[] known, Function<T, String> label) {
    String text = labels.get(name);
    return text == null ? null : Names.find(name, List.of(known), label, text);
  }

  /** What is forced, by name, in the order of {@link #NAMES}. */
  public Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    put(labels, "placement", placement, Placement::label);
    put(labels, "transport", transport, Transport::label);
    put(labels, "sync", sync, Sync::label);
    put(labels, "barrier", barrier, Barrier::label);
    put(labels, "memory", memory, SharedMemory::label);
    put(labels, "queue-family", queueFamily, index -> Integer.toString(index));
    put(labels, "queues", queues, count -> Integer.toString(count));
    return Collections.unmodifiableMap(labels);
  }

  /** What was forced as parts of a case's id: labels, with what they count if they are numbers. */
  public List<String> idParts() {
    List<String> parts = new ArrayList<>();
    labels().forEach((name, label) -> parts.add(idPart(name, label)));
    return parts;
  }

  private static String idPart(String choice, String label) {
    return switch (choice) {
      case "queue-family" -> "family" + label;
      case "queues" -> "queues" + label;
      default -> label;
    };
  }

  private static <T> void put(
      Map<String, String> labels, String name, @Nullable T value, Function<T, String> label) {
    if (value != null) {
      labels.put(name, label.apply(value));
    }
  }

  /**
   * The same on a single queue. Ranks have nothing to signal to each other there and share one
   * device's memory, so how they would do it is not forced any more.
   */
  public ForcedChoices onSingleQueue() {
    return new ForcedChoices(
        Placement.SINGLE_QUEUE, transport, null, null, null, queueFamily, null);
  }

  /** Forces the same of a group. */
  public GroupSpec.Builder applyTo(GroupSpec.Builder spec) {
    return spec.placement(placement)
        .transport(transport)
        .sync(sync)
        .barrier(barrier)
        .memory(memory)
        .queueFamily(queueFamily)
        .queues(queues);
  }
}
