/**
 * Verification: runs cases on devices and judges every byte against the reference simulator.
 *
 * <p>A case is simulated once and run with every transport. A mismatch is blamed on the first round
 * that made a wrong value, by running the schedule's first rounds alone.
 */
@NullMarked
package org.allreducelab.harness.verify;

import org.jspecify.annotations.NullMarked;
