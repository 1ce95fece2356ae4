package org.allreducelab.harness.bench;

import org.allreducelab.results.Choices;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.Measurement;
import org.jspecify.annotations.Nullable;

/**
 * What one fork gave.
 *
 * @param record how it ended
 * @param choices what its group ran with, or null if none was opened
 * @param measurement its samples and JMH's result; present exactly when the record is ok
 */
public record ForkOutcome(
    ForkRecord record, @Nullable Choices choices, @Nullable Measurement measurement) {}
