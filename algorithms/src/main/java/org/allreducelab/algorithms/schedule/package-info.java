/**
 * What an all-reduce does, as data: rounds of combines over spans, and the checker that proves it.
 */
@NullMarked
package org.allreducelab.algorithms.schedule;

import org.jspecify.annotations.NullMarked;
