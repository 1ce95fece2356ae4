@NullMarked
package org.allreducelab.harness.probes;

import org.jspecify.annotations.NullMarked;
