/** Tests of the explainer against golden texts. */
@NullMarked
package org.allreducelab.harness.explain;

import org.jspecify.annotations.NullMarked;
