@NullMarked
package org.allreducelab.harness.mixed;

import org.jspecify.annotations.NullMarked;
