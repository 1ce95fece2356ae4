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
 * @param committedEnd offset of the first byte behind the last recorded line
 */
record LatencyLines(Map<ForkId, Histogram> histograms, long committedEnd) {
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
      ForkId fork = byTag.get(tagOf(line));
      if (fork == null) {
        leftoverLine = leftoverLine == 0 ? lineNumber : leftoverLine;
        continue;
      }
      if (leftoverLine != 0) {
        throw damaged(file, leftoverLine, "no histogram of a fork that run.json records", null);
      }
      if (found.put(fork, decode(file, lineNumber, line)) != null) {
        throw damaged(file, lineNumber, "a second histogram for " + Tag.ofFork(fork), null);
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
    return new LatencyLines(found, committedEnd);
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
