@NullMarked
package org.allreducelab.harness.doctor;

import org.jspecify.annotations.NullMarked;
