package org.allreducelab.harness.decode;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.harness.cli.UsageException;

/**
 * Traces that users write: CSV with the header {@code phase,tokens,repeat}, a line per step. The
 * header must be there; {@code phase,tokens} is enough of one where no step repeats. {@code #}
 * starts a comment line.
 */
final class TraceFile {
  private static final int MOST_STEPS = 100_000;

  private TraceFile() {}

  /**
   * Reads a trace; it is called what the file is called.
   *
   * @throws UsageException if the file cannot be read or is malformed; the message starts with the
   *     file and line
   */
  static Trace read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new UsageException(file + " is not a text file in UTF-8", e);
    } catch (NoSuchFileException e) {
      throw new UsageException("cannot read trace file " + file + ": no such file", e);
    } catch (IOException e) {
      throw new UsageException("cannot read trace file " + file + ": " + e.getMessage(), e);
    }
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
    return parse(name.replaceAll("[^A-Za-z0-9-]", "-"), file.toString(), lines);
  }

  static Trace parse(String name, String file, List<String> lines) {
    List<Step> steps = new ArrayList<>();
    boolean header = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      String place = file + ":" + (i + 1) + ": ";
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (!header) {
        if (!line.equals("phase,tokens") && !line.equals("phase,tokens,repeat")) {
          throw new UsageException(
              place + "expected the header phase,tokens,repeat, not '" + line + "'");
        }
        header = true;
        continue;
      }
      addStep(steps, line, place);
    }
    if (steps.isEmpty()) {
      throw new UsageException(file + ": no step; expected a header and lines like decode,1,64");
    }
    return new Trace(name, steps);
  }

  private static void addStep(List<Step> steps, String line, String place) {
    String[] cells = line.split(",", -1);
    if (cells.length < 2 || cells.length > 3) {
      throw new UsageException(
          place + "expected phase,tokens or phase,tokens,repeat, not '" + line + "'");
    }
    Phase phase;
    try {
      phase = Phase.named(cells[0].strip());
    } catch (UsageException e) {
      throw new UsageException(place + e.getMessage(), e);
    }
    int tokens = number(cells[1], place, "tokens");
    int repeat = cells.length == 3 ? number(cells[2], place, "repeat") : 1;
    if (steps.size() + (long) repeat > MOST_STEPS) {
      throw new UsageException(place + "a trace may have at most " + MOST_STEPS + " steps");
    }
    for (int i = 0; i < repeat; i++) {
      steps.add(new Step(phase, tokens));
    }
  }

  private static int number(String cell, String place, String what) {
    String text = cell.strip();
    if (!text.matches("[1-9]\\d{0,6}")) {
      throw new UsageException(
          place + what + " must be a whole number from 1 to 9999999, not '" + text + "'");
    }
    return Integer.parseInt(text);
  }
}
