/**
 * The backend interface: endpoints, groups of ranks, and collectives that run a schedule on them.
 */
@NullMarked
package org.allreducelab.backends;

import org.jspecify.annotations.NullMarked;
