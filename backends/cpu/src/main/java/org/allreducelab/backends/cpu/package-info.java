/**
 * The CPU backend: ranks are heap arrays, workers are threads, and the inner loops use the Vector
 * API where it is there.
 *
 * <pre>
 *   caller ──enqueue──▶ ring of invocations ──▶ worker 1: ranks 4..7 (a daemon thread)
 *     │                                            │        ▲
 *     └──await──▶ worker 0: ranks 0..3 ── progress per rank ┘
 *                 (the caller itself)     (release stores, acquire loads)
 * </pre>
 *
 * <p>A {@code Program} is compiled into a {@code Recording}: for each worker its ranks' submissions
 * in global order, as flat arrays bound to memory and loops. {@link
 * org.allreducelab.backends.cpu.FoldLoops} is the benchmarks' way to the inner loops, {@link
 * org.allreducelab.backends.cpu.SignalPair} to the signals.
 */
@NullMarked
package org.allreducelab.backends.cpu;

import org.jspecify.annotations.NullMarked;
