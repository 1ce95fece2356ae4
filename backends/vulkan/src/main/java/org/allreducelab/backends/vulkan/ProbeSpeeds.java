package org.allreducelab.backends.vulkan;

import java.util.Arrays;
import org.allreducelab.backends.probe.Engine;

/** Measures one way, from the writing to the reading side, and the hop between them. */
final class ProbeSpeeds implements AutoCloseable {
  private static final int HOPS_TO_AND_FRO = 50;
  private static final int HOP_BATCHES = 5;
  private static final int TIMED_READS = 4;

  private final ProbeSide writing;
  private final ProbeSide reading;
  private final ProbeSignals signals;
  private final ProbeBuffers buffers;
  private final Timeline gate;
  private long gated;

  ProbeSpeeds(ProbeSide writing, ProbeSide reading, ProbeSignals signals, ProbeBuffers buffers) {
    this.writing = writing;
    this.reading = reading;
    this.signals = signals;
    this.buffers = buffers;
    gate = Timeline.plain(writing.device());
  }

  /** How fast the reading side reads shared memory: the best of a few, in 1e9 bytes a second. */
  double readGbPerS(Engine engine, long bytes) {
    double best = 0;
    for (int i = 0; i < TIMED_READS; i++) {
      reading.begin();
      reading.acquire(engine, buffers.shared().on(1), writing);
      reading.copy(engine, buffers.shared().on(1), 0, buffers.target(), 0, bytes);
      long startNs = System.nanoTime();
      reading.submit(null, 0, signals.reader(), signals.nextOfReader());
      signals.expect();
      signals.awaitReader();
      best = Math.max(best, bytes / (double) (System.nanoTime() - startNs));
    }
    return best;
  }

  /**
   * Mean time of a hop, the median of a few batches, in microseconds. A batch is a ball that the
   * two queues throw to and fro; all throws are enqueued before the first.
   */
  double hopUs() {
    double[] means = new double[HOP_BATCHES];
    for (int batch = 0; batch < HOP_BATCHES; batch++) {
      gated++;
      long read = 0;
      for (int i = 0; i < HOPS_TO_AND_FRO; i++) {
        long written = signals.nextOfWriter();
        writing.relay(
            i == 0 ? gate : signals.readerSeenByWriter(),
            i == 0 ? gated : read,
            signals.writer(),
            written);
        read = signals.nextOfReader();
        reading.relay(signals.writerSeenByReader(), written, signals.reader(), read);
      }
      signals.expect();
      long startNs = System.nanoTime();
      gate.signal(gated);
      signals.awaitReader();
      means[batch] = (System.nanoTime() - startNs) / 1e3 / (2 * HOPS_TO_AND_FRO);
    }
    Arrays.sort(means);
    return means[HOP_BATCHES / 2];
  }

  @Override
  public void close() {
    gate.close();
  }
}
