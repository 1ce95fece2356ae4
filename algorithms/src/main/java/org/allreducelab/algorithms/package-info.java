/** All-reduce algorithms as pure functions from (ranks, element count) to a schedule. */
@NullMarked
package org.allreducelab.algorithms;

import org.jspecify.annotations.NullMarked;
