/** The reference simulator: the bytes that must come out of a schedule under a precision. */
@NullMarked
package org.allreducelab.algorithms.simulator;

import org.jspecify.annotations.NullMarked;
