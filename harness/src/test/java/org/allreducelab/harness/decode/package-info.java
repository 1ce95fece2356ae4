@NullMarked
package org.allreducelab.harness.decode;

import org.jspecify.annotations.NullMarked;
