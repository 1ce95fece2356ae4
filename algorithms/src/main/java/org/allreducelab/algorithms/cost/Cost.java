package org.allreducelab.algorithms.cost;

/**
 * What a schedule costs on a modelled machine.
 *
 * @param timeNs sum over the rounds of the slowest rank's time
 * @param steps rounds in which anything crosses between ranks
 * @param messages (round, sender, receiver) triples, over all ranks
 * @param maxWireBytes bytes received by the rank that receives most
 * @param totalWireBytes bytes received by all ranks
 */
public record Cost(
    double timeNs, int steps, long messages, long maxWireBytes, long totalWireBytes) {}
