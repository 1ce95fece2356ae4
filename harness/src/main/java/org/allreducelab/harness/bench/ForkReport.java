package org.allreducelab.harness.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.Choices;
import org.allreducelab.results.TimeParts;
import org.allreducelab.results.Verification;
import org.jspecify.annotations.Nullable;

/**
 * What a forked JVM tells the lab beside JMH's own result, through a file named by the property
 * {@link #PATH_PROPERTY}.
 *
 * @param failure what went wrong, one line; null if nothing did
 * @param before verification before the timed part, or null if it was not reached
 * @param after verification after it, or null
 * @param choices what the group ran with, or null if it could not be opened
 * @param histogram the samples in nanoseconds, in HdrHistogram's compressed form and Base64; empty
 *     if none was taken
 * @param parts where the time goes, or null if it was not measured
 */
public record ForkReport(
    @Nullable String failure,
    @Nullable Verification before,
    @Nullable Verification after,
    @Nullable Choices choices,
    String histogram,
    @Nullable TimeParts parts) {

  /** System property of a fork: the file its report goes to. */
  public static final String PATH_PROPERTY = "allreducelab.forkReport";

  private static final ObjectMapper JSON = new ObjectMapper();

  public static String encode(Histogram samples) {
    ByteBuffer buffer = ByteBuffer.allocate(samples.getNeededByteBufferCapacity());
    int length = samples.encodeIntoCompressedByteBuffer(buffer);
    byte[] bytes = new byte[length];
    buffer.flip();
    buffer.get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * The samples; an empty histogram if none was taken.
   *
   * @throws IOException if the text is no histogram
   */
  public Histogram samples() throws IOException {
    if (histogram.isEmpty()) {
      return Latencies.newHistogram();
    }
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), 0);
    } catch (DataFormatException | IllegalArgumentException e) {
      throw new IOException("the fork's histogram is damaged: " + e.getMessage(), e);
    }
  }

  public void write(Path file) {
    try {
      Files.write(file, JSON.writeValueAsBytes(this));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a report.
   *
   * @throws IOException if there is none, for instance because the fork died, or it is damaged
   */
  public static ForkReport read(Path file) throws IOException {
    return JSON.readValue(file.toFile(), ForkReport.class);
  }
}
