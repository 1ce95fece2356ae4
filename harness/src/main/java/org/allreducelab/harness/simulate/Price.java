package org.allreducelab.harness.simulate;

import org.allreducelab.algorithms.Algorithm;

/**
 * What an all-reduce costs on the machine.
 *
 * @param algorithm which algorithm
 * @param ranks number of ranks
 * @param count elements of the vector
 * @param timeNs its time
 * @param steps rounds in which anything crosses
 * @param fromSchedule whether it is the price of the schedule, and not of a formula
 */
record Price(
    Algorithm algorithm, int ranks, int count, double timeNs, long steps, boolean fromSchedule) {}
