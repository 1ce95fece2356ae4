package org.allreducelab.backends.opencl;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that need PoCL. Where it is missing they fail if the environment says {@code CI=true};
 * elsewhere they do not run, and a line on stderr says so.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PoclCondition.class)
@interface RequiresPocl {
  /** How many devices there must be, sub-devices not counted. */
  int devices() default 1;

  /** How many sub-devices there must be. */
  int parts() default 0;
}
