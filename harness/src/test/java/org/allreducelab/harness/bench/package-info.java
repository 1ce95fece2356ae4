@NullMarked
package org.allreducelab.harness.bench;

import org.jspecify.annotations.NullMarked;
