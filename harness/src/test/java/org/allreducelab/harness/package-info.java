/** Tests of the {@code lab} command line. */
@NullMarked
package org.allreducelab.harness;

import org.jspecify.annotations.NullMarked;
