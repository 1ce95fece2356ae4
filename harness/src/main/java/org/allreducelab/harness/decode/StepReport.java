package org.allreducelab.harness.decode;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.allreducelab.harness.bench.ForkReport;

/**
 * What a fork tells of its steps, beside what every fork tells.
 *
 * @param histograms by name, in HdrHistogram's compressed form and Base64
 * @param lines the timeline, without header
 */
record StepReport(Map<String, String> histograms, List<String> lines) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAME = "step-report.json";

  static StepReport of(StepSamples samples) {
    Map<String, String> encoded = new LinkedHashMap<>();
    samples.named().forEach((name, histogram) -> encoded.put(name, ForkReport.encode(histogram)));
    return new StepReport(encoded, samples.lines());
  }

  /** Where it lies in the folder of a run while a fork runs. */
  static Path in(Path folder) {
    return folder.resolve(NAME);
  }

  /**
   * Writes it.
   *
   * @param forkReport where the fork's other report goes
   */
  void write(Path forkReport) {
    try {
      Files.write(forkReport.resolveSibling(NAME), JSON.writeValueAsBytes(this));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static StepReport read(Path file) throws IOException {
    return JSON.readValue(file.toFile(), StepReport.class);
  }

  Map<String, Histogram> decoded() throws IOException {
    Map<String, Histogram> decoded = new LinkedHashMap<>();
    for (Map.Entry<String, String> e : histograms.entrySet()) {
      try {
        byte[] bytes = Base64.getDecoder().decode(e.getValue());
        decoded.put(
            e.getKey(), Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0));
      } catch (DataFormatException | IllegalArgumentException damaged) {
        throw new IOException(
            "the fork's histogram " + e.getKey() + " is damaged: " + damaged.getMessage(), damaged);
      }
    }
    return decoded;
  }
}
