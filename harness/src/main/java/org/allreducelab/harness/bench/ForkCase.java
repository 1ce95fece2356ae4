package org.allreducelab.harness.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.allreducelab.results.CaseRecord;

/**
 * Something to measure in forked JVMs. It reaches them as JMH parameters, so that {@code jmh.json}
 * shows everything that decides it.
 */
public interface ForkCase {
  /** Identifies it within a run, in the alphabet of {@link org.allreducelab.results.Tag}. */
  String id();

  /** Its JMH parameters, all of them. */
  Map<String, String> params();

  /** The class of the JMH benchmark that measures it. */
  Class<?> benchmarkClass();

  /** The method of that class. */
  String benchmarkMethod();

  /** Operations of one call of the method: JMH's score is per operation. */
  default int operations() {
    return 1;
  }

  /** Endpoint ids; ranks go round-robin over them. */
  List<String> devices();

  /** Number of ranks. */
  int ranks();

  /** Bytes of one rank's largest vector. */
  long bytes();

  /**
   * Vectors of that size that a fork keeps on its heap for each rank. Eight: SEND, RECV, slots, two
   * sets of inputs and expected results, and one copy on the way.
   */
  default int vectorsPerRank() {
    return 8;
  }

  /** Combines of a program that a fork records; for what it takes on the heap. */
  default long recordedCombines() {
    return 0;
  }

  /** How long one invocation may well take on a slow device; for estimates, roughly. */
  default Duration slowInvocation() {
    return Duration.ZERO;
  }

  /** How long one fork runs what is to be measured, warm-up included; for estimates. */
  Duration runTime(ForkSettings settings);

  /** The record of the case before anything was measured. */
  CaseRecord planned();

  /** The benchmark's name in a record. */
  default String benchmark() {
    return benchmarkClass().getSimpleName() + "." + benchmarkMethod();
  }
}
