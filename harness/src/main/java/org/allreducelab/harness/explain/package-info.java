/** Explains a schedule: draws its rounds, tells its sums, proves and prices it. */
@NullMarked
package org.allreducelab.harness.explain;

import org.jspecify.annotations.NullMarked;
