/** What a schedule costs on a modelled machine: time, wire bytes, steps. */
@NullMarked
package org.allreducelab.algorithms.cost;

import org.jspecify.annotations.NullMarked;
