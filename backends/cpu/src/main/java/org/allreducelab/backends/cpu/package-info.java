/**
 * The CPU backend: ranks are heap arrays, workers are threads, and the inner loops use the Vector
 * API where it is there.
 */
@NullMarked
package org.allreducelab.backends.cpu;

import org.jspecify.annotations.NullMarked;
