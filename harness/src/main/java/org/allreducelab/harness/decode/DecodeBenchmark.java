package org.allreducelab.harness.decode;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * A whole trace, step by step.
 *
 * <pre>
 *  fork: open ─ verify ─ settle ─┬─ warm-up ────────┬─ measurement ──────┬─ verify ─ report
 *                                │ each size of step│ the trace, every   │
 *                                └──────────────────┴ step a sample ─────┘
 * </pre>
 *
 * <p>JMH's score is the time of one trace; the numbers of the table come from the samples.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class DecodeBenchmark {
  /** One pass. */
  @Benchmark
  public void trace(DecodeState state) {
    state.pass();
  }
}
