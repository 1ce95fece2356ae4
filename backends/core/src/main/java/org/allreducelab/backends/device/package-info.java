/** Groups whose ranks run on devices: everything that does not depend on the driver. */
@NullMarked
package org.allreducelab.backends.device;

import org.jspecify.annotations.NullMarked;
