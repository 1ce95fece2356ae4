package org.allreducelab.results.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.Measurement;
import org.allreducelab.results.Tag;

/**
 * {@code latency.hlog}: one interval histogram per fork, in HdrHistogram's log format, version 1.3.
 *
 * <p>A line counts once {@code run.json} records its fork. What lies behind the last such line is
 * left over from a write that was cut short; the next write overwrites it.
 */
final class LatencyLog implements AutoCloseable {
  private final FileChannel channel;
  private final Instant runStart;
  private long committedEnd;
  private long writtenEnd;

  private LatencyLog(FileChannel channel, Instant runStart, long end) {
    this.channel = channel;
    this.runStart = runStart;
    this.committedEnd = end;
    this.writtenEnd = end;
  }

  static LatencyLog create(Path file, Instant runStart) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    LatencyLog log = new LatencyLog(channel, runStart, 0);
    try {
      log.append(header(runStart));
      log.commit();
      return log;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Opens the log of a run that goes on, cut back to the forks that the run records.
   *
   * @throws RunFolderException if the line of a recorded fork is missing or damaged
   */
  static LatencyLog reopen(Path file, Instant runStart, Set<ForkId> recorded) throws IOException {
    long end = LatencyLines.read(file, recorded).committedEnd();
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    try {
      channel.truncate(end);
      return new LatencyLog(channel, runStart, end);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Writes a fork's histograms to the disk; they count after {@link #commit}. */
  void write(ForkId id, ForkRecord fork, Measurement measurement) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    lines.write(line(Tag.ofFork(id), fork, measurement.latencyNs()));
    for (Map.Entry<String, Histogram> phase : measurement.phasesNs().entrySet()) {
      lines.write(line(Tag.ofPhase(id, phase.getKey()), fork, phase.getValue()));
    }
    append(lines.toByteArray());
  }

  /** Keeps what was written. */
  void commit() {
    committedEnd = writtenEnd;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void append(byte[] bytes) throws IOException {
    channel.truncate(committedEnd);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long position = committedEnd;
    while (buffer.hasRemaining()) {
      position += channel.write(buffer, position);
    }
    channel.force(true);
    writtenEnd = position;
  }

  private static byte[] header(Instant runStart) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(bytes);
    writer.outputComment(
        "[All-reduce latency; nanoseconds; one interval per fork, and per phase of it]");
    writer.outputLogFormatVersion();
    // Not outputStartTime: it spells the date in the time zone of the machine.
    writer.outputComment(
        String.format(
            Locale.ROOT,
            "[StartTime: %.3f (seconds since epoch), %s]",
            runStart.toEpochMilli() / 1e3,
            runStart));
    writer.outputLegend();
    writer.close();
    return bytes.toByteArray();
  }

  private byte[] line(Tag tag, ForkRecord fork, Histogram latencyNs) {
    Histogram tagged = latencyNs.copy();
    tagged.setTag(tag.text());
    double startSec = (fork.start().toEpochMilli() - runStart.toEpochMilli()) / 1e3;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(bytes);
    writer.outputIntervalHistogram(startSec, startSec + fork.elapsedMs() / 1e3, tagged, 1e6);
    writer.close();
    return bytes.toByteArray();
  }
}
