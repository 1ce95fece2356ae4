package org.allreducelab.backends.vulkan;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that need Vulkan drivers. Where one is missing they fail if the environment says {@code
 * CI=true}; elsewhere they do not run, and a line on stderr says so.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DriverCondition.class)
@interface RequiresDriver {
  /** Starts of driver or device names, for instance {@code llvmpipe}; each must be there. */
  String[] value();
}
