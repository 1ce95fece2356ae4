/**
 * The record of a benchmark run: what was measured, on what, under which choices, and whether the
 * bytes were right.
 *
 * <p>Everything here is an immutable value. A {@link org.allreducelab.results.RunRecord} is the
 * content of {@code run.json}; {@code docs/run-format.md} describes the file field by field. Times
 * are nanoseconds unless a name says otherwise; GB is 1e9 bytes.
 */
@NullMarked
package org.allreducelab.results;

import org.jspecify.annotations.NullMarked;
