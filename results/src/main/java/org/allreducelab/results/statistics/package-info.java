/**
 * Statistics for comparing runs: small samples, heavy tails, no assumption of normality.
 *
 * <p>The unit of observation is a fork. Samples within one fork share a JVM, its compiled code and
 * its memory layout, so they are not independent and must not be pooled into these tests.
 */
@NullMarked
package org.allreducelab.results.statistics;

import org.jspecify.annotations.NullMarked;
