package org.allreducelab.harness.doctor;

import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.ProbeFinding;
import org.jspecify.annotations.Nullable;

/**
 * How a probe ended.
 *
 * @param finding its own, or what its end tells
 * @param attempt the block that was being moved at the end, if one was
 */
record ProbeEnd(ProbeFinding finding, @Nullable Attempt attempt) {}
