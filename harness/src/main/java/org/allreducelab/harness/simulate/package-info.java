/** Prices of schedules and of decoding on modelled machines, without running anything. */
@NullMarked
package org.allreducelab.harness.simulate;

import org.jspecify.annotations.NullMarked;
