/**
 * What every command of {@code lab} shares: the options, how they are read, which devices they
 * name, which cases they make, exit codes and tables.
 */
@NullMarked
package org.allreducelab.harness.cli;

import org.jspecify.annotations.NullMarked;
