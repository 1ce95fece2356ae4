package org.allreducelab.backends.cpu;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.jspecify.annotations.Nullable;

/** What a group on the CPU runs with: the forced choices where it can, else the defaults. */
final class CpuChoices {
  private CpuChoices() {}

  static Choices of(GroupSpec spec, int cores, Choice<LoopSet> loops) {
    return new Choices(
        choose(
            "placement",
            spec.placement(),
            List.of(Placement.QUEUES, Placement.SINGLE_QUEUE),
            Placement::label,
            workers(spec.ranks(), cores)),
        choose(
            "transport",
            spec.transport(),
            List.of(Transport.DIRECT, Transport.STAGED_HOST),
            Transport::label,
            "all ranks share the heap"),
        choose("sync", spec.sync(), List.of(Sync.NATIVE), Sync::label, "only one"),
        choose(
            "barrier",
            spec.barrier(),
            List.of(Barrier.PAIRWISE, Barrier.RELAY),
            Barrier::label,
            "a wait for a peer is one load"),
        new Choice<>(loops.value().name(), loops.reason()));
  }

  private static String workers(int ranks, int cores) {
    return ranks <= cores ? "a core per rank" : ranks + " ranks share " + cores + " cores";
  }

  /** The forced value, or the first of those there are. */
  private static <T> Choice<T> choose(
      String what, @Nullable T forced, List<T> present, Function<T, String> label, String reason) {
    if (forced == null) {
      return new Choice<>(present.get(0), reason);
    }
    if (!present.contains(forced)) {
      throw new UnavailableException(
          what
              + " "
              + label.apply(forced)
              + " is not there on the cpu; it has: "
              + present.stream().map(label).collect(Collectors.joining(", ")));
    }
    return new Choice<>(forced, "forced");
  }
}
