@NullMarked
package org.allreducelab.harness.bundle;

import org.jspecify.annotations.NullMarked;
