/**
 * Trying out whether what a driver claims works: one device's bytes, read by another.
 *
 * <p>A backend says which modes a directed pair of its endpoints has ({@link
 * org.allreducelab.backends.probe.PairProbe}) and runs one of them in the process that it is called
 * in. A probe may hang or crash its process; whoever runs it gives it a process of its own.
 */
@NullMarked
package org.allreducelab.backends.probe;

import org.jspecify.annotations.NullMarked;
