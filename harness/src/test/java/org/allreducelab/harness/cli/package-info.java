/** Tests of the options, the parsers and the tables. */
@NullMarked
package org.allreducelab.harness.cli;

import org.jspecify.annotations.NullMarked;
