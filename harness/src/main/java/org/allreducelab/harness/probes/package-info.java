/** What {@code lab doctor} found, kept between runs; other commands read it. */
@NullMarked
package org.allreducelab.harness.probes;

import org.jspecify.annotations.NullMarked;
