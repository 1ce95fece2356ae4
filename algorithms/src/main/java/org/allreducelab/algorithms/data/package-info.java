/** Test data: vectors that show faults of plumbing, order, rounding and special values. */
@NullMarked
package org.allreducelab.algorithms.data;

import org.jspecify.annotations.NullMarked;
