package org.allreducelab.harness.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.allreducelab.harness.cli.UsageException;

/** The suites that come with the lab, and those that users write. */
final class Suites {
  /** Names of the bundled suites, shortest first. */
  static final List<String> BUNDLED = List.of("smoke", "quick", "full");

  private Suites() {}

  /**
   * The suite of that name, or the one in that file: a value that is not a bundled name and has a
   * separator or a dot, or names an existing file, is a file.
   *
   * @throws UsageException if there is none, or its file cannot be read or is malformed
   */
  static Suite find(String nameOrFile) {
    if (BUNDLED.contains(nameOrFile)) {
      return bundled(nameOrFile);
    }
    Path file = Path.of(nameOrFile);
    if (Files.isRegularFile(file)) {
      return fromFile(file);
    }
    boolean meantAsFile = nameOrFile.contains("/") || nameOrFile.contains(".");
    throw new UsageException(
        (meantAsFile ? "no suite file '" + nameOrFile + "'" : "unknown suite '" + nameOrFile + "'")
            + "; known: "
            + String.join(", ", BUNDLED)
            + ", list, or a suite file");
  }

  static Suite bundled(String name) {
    String resource = "suites/" + name + ".suite";
    try (InputStream in = Suites.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + resource);
      }
      return SuiteFile.read(
          name, name + ".suite", new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Suite fromFile(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    String base = (dot > 0 ? name.substring(0, dot) : name).replaceAll("[^A-Za-z0-9._-]", "-");
    try (Reader text = Files.newBufferedReader(file)) {
      return SuiteFile.read(base, file.toString(), text);
    } catch (CharacterCodingException e) {
      throw new UsageException(file + " is not a text file in UTF-8");
    } catch (IOException e) {
      throw new UsageException("cannot read suite file " + file + ": " + e.getMessage());
    }
  }
}
