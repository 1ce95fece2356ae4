/**
 * Inner loops on the incubating Vector API. Compiled apart and loaded by name, because the module
 * need not be there.
 */
@NullMarked
package org.allreducelab.backends.cpu.vector;

import org.jspecify.annotations.NullMarked;
