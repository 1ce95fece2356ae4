/** How much staging memory a group keeps, and when it changes. */
@NullMarked
package org.allreducelab.backends.staging;

import org.jspecify.annotations.NullMarked;
