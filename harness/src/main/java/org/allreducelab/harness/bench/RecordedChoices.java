package org.allreducelab.harness.bench;

import java.util.function.Function;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.results.Choice;
import org.allreducelab.results.Choices;
import org.jspecify.annotations.Nullable;

/** A group's choices as a run records them: by the names users type. */
final class RecordedChoices {
  private RecordedChoices() {}

  static Choices of(org.allreducelab.backends.Choices chosen) {
    return new Choices(
        choice(chosen.placement(), Placement::label),
        choice(chosen.transport(), Transport::label),
        choice(chosen.sync(), Sync::label),
        choice(chosen.barrier(), Barrier::label),
        choice(chosen.kernels(), Function.identity()),
        optional(chosen.memory(), SharedMemory::label),
        optional(chosen.queueFamily(), Function.identity()),
        optional(chosen.queues(), Function.identity()));
  }

  private static <T> @Nullable Choice optional(
      org.allreducelab.backends.@Nullable Choice<T> chosen, Function<T, String> label) {
    return chosen == null ? null : choice(chosen, label);
  }

  private static <T> Choice choice(
      org.allreducelab.backends.Choice<T> chosen, Function<T, String> label) {
    return new Choice(label.apply(chosen.value()), chosen.reason());
  }
}
