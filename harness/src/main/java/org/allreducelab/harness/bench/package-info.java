/**
 * The benchmarks: suites of cases, the JMH benchmarks that measure them, and the loop that drives
 * JMH fork by fork.
 *
 * <pre>
 *  suite file + options ──▶ cases ──▶ ForkOrder ──▶ ForkLoop ──▶ run folder, table
 *                                      (seeded)        │
 *                                                      ▼ one JMH run per (case, fork)
 *                               forked JVM: verify · warm up · measure · verify
 * </pre>
 */
@NullMarked
package org.allreducelab.harness.bench;

import org.jspecify.annotations.NullMarked;
