package org.allreducelab.harness.bench;

import java.time.Duration;
import java.util.List;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.harness.cli.ForcedChoices;

/** Cases for tests. */
final class Cases {
  private Cases() {}

  static BenchCase on(String device, String algorithm, int count) {
    return on(device, 2, algorithm, count, false);
  }

  static BenchCase on(String device, int ranks, String algorithm, int count, boolean inPlace) {
    return on(device, ranks, algorithm, count, inPlace, 1, 1);
  }

  static BenchCase on(
      String device,
      int ranks,
      String algorithm,
      int count,
      boolean inPlace,
      int inflight,
      int graph) {
    return new BenchCase(
        List.of(device),
        ranks,
        algorithm,
        count,
        Precision.BF16,
        8,
        ForcedChoices.NONE,
        inPlace,
        "grow-only",
        Duration.ofSeconds(10),
        inflight,
        graph,
        Role.CONTENDER);
  }
}
