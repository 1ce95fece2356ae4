/** Tests of verification, with backends that go wrong on purpose. */
@NullMarked
package org.allreducelab.harness.verify;

import org.jspecify.annotations.NullMarked;
