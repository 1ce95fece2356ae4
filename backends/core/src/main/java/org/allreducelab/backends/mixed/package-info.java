/** Groups whose ranks are on endpoints of several backends. */
@NullMarked
package org.allreducelab.backends.mixed;

import org.jspecify.annotations.NullMarked;
