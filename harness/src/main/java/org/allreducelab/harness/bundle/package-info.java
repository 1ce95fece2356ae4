/**
 * {@code lab bundle}: the lab as one archive, for hosts without Java and network.
 *
 * <pre>
 *   allreduce-lab/
 *     lab        the launcher, a POSIX shell script
 *     lab.jar    this lab's own jar, stored without compression and without foreign natives
 *     runtime/   a Java runtime of the modules that the lab needs, made by jlink
 * </pre>
 */
@NullMarked
package org.allreducelab.harness.bundle;

import org.jspecify.annotations.NullMarked;
