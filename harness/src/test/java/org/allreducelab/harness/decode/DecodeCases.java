package org.allreducelab.harness.decode;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.harness.cli.ForcedChoices;
import org.jspecify.annotations.Nullable;

/** Small cases on the CPU. */
final class DecodeCases {
  /** 64 elements a token, 4 all-reduces a step. */
  static final Model TINY = new Model("3b", 64, 2);

  static final EngineModel PLAIN = engine(Await.TOKEN, 0, null, Set.of(), 0);

  private DecodeCases() {}

  static EngineModel engine(
      Await await,
      long computeNs,
      @Nullable DriverModel driver,
      Set<Integer> inactive,
      double rate) {
    return new EngineModel(
        await, computeNs, driver, inactive, Long.MAX_VALUE, rate, Duration.ofSeconds(20));
  }

  static DecodeCase of(String policy, int slice, Trace trace, EngineModel engine) {
    return on("cpu", policy, slice, trace, engine);
  }

  static DecodeCase on(String device, String policy, int slice, Trace trace, EngineModel engine) {
    return new DecodeCase(
        List.of(device),
        3,
        "ring",
        Precision.F32,
        8,
        slice,
        ForcedChoices.of(java.util.Map.of("transport", "staged-host")),
        policy,
        TINY,
        trace,
        engine);
  }
}
