/**
 * The run folder: created, written fork by fork so that a kill costs at most the fork in flight,
 * resumed, and read.
 */
@NullMarked
package org.allreducelab.results.store;

import org.jspecify.annotations.NullMarked;
