@NullMarked
package org.allreducelab.harness.simulate;

import org.jspecify.annotations.NullMarked;
