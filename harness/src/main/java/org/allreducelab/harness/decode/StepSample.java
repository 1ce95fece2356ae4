package org.allreducelab.harness.decode;

import java.util.List;

/**
 * One step that was timed: a line of the timeline.
 *
 * @param index its position in the trace, from 0
 * @param step what it was
 * @param first whether it is the first token after a prompt
 * @param startNs when it started, since the start of the pass
 * @param elapsedNs from its start to its end
 * @param latencyNs from when it was due to its end
 * @param staging what became of staging memory
 */
record StepSample(
    int index,
    Step step,
    boolean first,
    long startNs,
    long elapsedNs,
    long latencyNs,
    StagingChange staging) {
  static final String HEADER =
      "pass,step,phase,tokens,first,start_ns,elapsed_ns,latency_ns,reallocations,reallocation_ns,"
          + "rerecordings,rerecording_ns,resident_bytes";

  /** The line of a timeline. */
  String line(int pass) {
    return String.join(
        ",",
        List.of(
            String.valueOf(pass),
            String.valueOf(index),
            step.phase().label(),
            String.valueOf(step.tokens()),
            String.valueOf(first),
            String.valueOf(startNs),
            String.valueOf(elapsedNs),
            String.valueOf(latencyNs),
            String.valueOf(staging.reallocations()),
            String.valueOf(staging.reallocationNs()),
            String.valueOf(staging.rerecordings()),
            String.valueOf(staging.rerecordingNs()),
            String.valueOf(staging.residentBytes())));
  }

  /** What a {@link #line} came from, without the pass. */
  static StepSample parse(String line) {
    String[] cells = line.split(",", -1);
    return new StepSample(
        Integer.parseInt(cells[1]),
        new Step(Phase.named(cells[2]), Integer.parseInt(cells[3])),
        Boolean.parseBoolean(cells[4]),
        Long.parseLong(cells[5]),
        Long.parseLong(cells[6]),
        Long.parseLong(cells[7]),
        new StagingChange(
            Long.parseLong(cells[8]),
            Long.parseLong(cells[9]),
            Long.parseLong(cells[10]),
            Long.parseLong(cells[11]),
            Long.parseLong(cells[12])));
  }
}
