/**
 * What the fold kernels of all devices have in common: which kernels a program needs, the records
 * that they read, and their arithmetic as text.
 */
@NullMarked
package org.allreducelab.backends.kernels;

import org.jspecify.annotations.NullMarked;
