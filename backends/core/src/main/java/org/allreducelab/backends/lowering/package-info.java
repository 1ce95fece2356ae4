/** Turns a schedule into a program: slots, kernels, submissions and the waits between ranks. */
@NullMarked
package org.allreducelab.backends.lowering;

import org.jspecify.annotations.NullMarked;
