package org.allreducelab.harness.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * An all-reduce from the call of {@code enqueue()} until completion was seen on all ranks.
 *
 * <pre>
 *  fork: open ─ verify ─┬─ warm-up ─┬─ measurement ─┬─ verify ─ report
 *                       │ no samples│ every sample  │
 *                       └───────────┴ in a histogram┘
 * </pre>
 *
 * <p>JMH's score is the mean per all-reduce; percentiles come from the fork's own histogram, in
 * which every single invocation lies. The one costs two readings of the clock more than the other.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AllReduceBenchmark {

  /**
   * Inputs stay as they are, so every invocation times the same arithmetic. Fed back into itself,
   * bf16 reaches infinity after 128, 64 or 43 all-reduces of 2, 4 or 8 ranks.
   */
  @Benchmark
  public void outOfPlace(AllReduceState state) {
    state.runTimed();
  }

  /**
   * Inputs are written again before every invocation, outside the timed part: JMH then takes the
   * time of each invocation alone. The thread that writes them leaves them in its own cache.
   */
  @Benchmark
  public void inPlace(InPlaceState state) {
    state.runTimed();
  }

  /** Writes the inputs again before every invocation. */
  @State(Scope.Benchmark)
  public static class InPlaceState extends AllReduceState {
    /** Not timed: JMH leaves fixtures of an invocation out of its score. */
    @Setup(Level.Invocation)
    public void restore() {
      restoreInputs();
    }
  }
}
