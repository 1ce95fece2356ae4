/**
 * The decode lab: which staging policy keeps decoding fast after a prefill?
 *
 * <pre>
 *  model + trace ──▶ steps (tokens) ──▶ messages (bytes), 2 · layers all-reduces each
 *                                          │
 *                 policy, await, compute ──┴─▶ one forked JVM per policy and fork:
 *                                              verify · warm up · the trace, step by step · verify
 * </pre>
 */
@NullMarked
package org.allreducelab.harness.decode;

import org.jspecify.annotations.NullMarked;
