package org.allreducelab.results.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.Tag;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The histograms of a latency log that a run records, and where the last of them ends.
 *
 * <p>HdrHistogram's own log reader takes a damaged line for the end of the file, so it cannot tell
 * a write that was cut short from a histogram that is lost.
 *
 * @param histograms by fork, nanoseconds, in the order of the file
 * @param phases further histograms of a fork by name, for forks that have any
 * @param committedEnd offset of the first byte behind the last recorded line
 */
record LatencyLines(
    Map<ForkId, Histogram> histograms,
    Map<ForkId, Map<String, Histogram>> phases,
    long committedEnd) {
  private static final String TAG_PREFIX = "Tag=";

  /**
   * Reads the histograms of the recorded forks; lines of others may only follow the last of them.
   *
   * @throws RunFolderException if one of them is missing, damaged, or there twice
   */
  static LatencyLines read(Path file, Set<ForkId> recorded) {
    byte[] bytes = bytesOf(file);
    Map<String, ForkId> byTag =
        recorded.stream().collect(Collectors.toMap(f -> Tag.ofFork(f).text(), Function.identity()));
    Map<ForkId, Histogram> found = new LinkedHashMap<>();
    Map<ForkId, Map<String, Histogram>> phases = new LinkedHashMap<>();
    int lineNumber = 0;
    int leftoverLine = 0;
    int committedEnd = 0;
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '\n') {
        continue;
      }
      String line = new String(bytes, start, i - start, StandardCharsets.US_ASCII).stripTrailing();
      start = i + 1;
      lineNumber++;
      if (line.startsWith("#") || line.startsWith("\"")) {
        committedEnd = leftoverLine == 0 ? start : committedEnd;
        continue;
      }
      String tag = tagOf(line);
      ForkId fork = byTag.get(tag);
      ForkId phaseOf = fork == null ? byTag.get(beforeLastDot(tag)) : null;
      if (fork == null && phaseOf == null) {
        leftoverLine = leftoverLine == 0 ? lineNumber : leftoverLine;
        continue;
      }
      if (leftoverLine != 0) {
        throw damaged(file, leftoverLine, "no histogram of a fork that run.json records", null);
      }
      Histogram histogram = decode(file, lineNumber, line);
      Histogram before =
          fork != null
              ? found.put(fork, histogram)
              : phases
                  .computeIfAbsent(phaseOf, f -> new LinkedHashMap<>())
                  .put(tag.substring(tag.lastIndexOf('.') + 1), histogram);
      if (before != null) {
        throw damaged(file, lineNumber, "a second histogram for " + tag, null);
      }
      committedEnd = start;
    }
    for (ForkId fork : recorded) {
      if (!found.containsKey(fork)) {
        throw new RunFolderException(
            Kind.DAMAGED,
            file,
            "no histogram for " + Tag.ofFork(fork) + ", which run.json records as measured");
      }
    }
    return new LatencyLines(found, phases, committedEnd);
  }

  private static String beforeLastDot(String tag) {
    return tag.substring(0, Math.max(0, tag.lastIndexOf('.')));
  }

  private static byte[] bytesOf(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new RunFolderException(Kind.DAMAGED, file, "no such file beside run.json", e);
    } catch (IOException e) {
      throw new RunFolderException(Kind.UNREADABLE, file, "cannot be read: " + e.getMessage(), e);
    }
  }

  private static String tagOf(String line) {
    int comma = line.indexOf(',');
    return line.startsWith(TAG_PREFIX) && comma > 0
        ? line.substring(TAG_PREFIX.length(), comma)
        : "";
  }

  /** The fields are tag, start, length, maximum, and the compressed histogram in base 64. */
  private static Histogram decode(Path file, int lineNumber, String line) {
    try {
      byte[] compressed = Base64.getDecoder().decode(line.substring(line.lastIndexOf(',') + 1));
      return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(compressed), 0);
    } catch (DataFormatException | RuntimeException e) {
      throw damaged(file, lineNumber, "not a histogram: " + e.getMessage(), e);
    }
  }

  private static RunFolderException damaged(
      Path file, int lineNumber, String what, @Nullable Throwable cause) {
    return new RunFolderException(Kind.DAMAGED, file, "line " + lineNumber + ": " + what, cause);
  }
}
