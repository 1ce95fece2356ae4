/**
 * bfloat16 and binary16 arithmetic, the precisions that real engines use, and their error bounds.
 */
@NullMarked
package org.allreducelab.algorithms.numerics;

import org.jspecify.annotations.NullMarked;
