package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.allreducelab.harness.cli.SharedOptions;
import org.allreducelab.harness.cli.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class SuiteFileTest {
  private static final String GOOD =
      """
      # a comment
      description = two sizes
      forks = 3

      ranks = 2,4
        bytes=20KiB , 1MiB
      warmup = 1x300ms
      measurement = 5x1s
      """;

  private static Suite read(String text) throws IOException {
    return SuiteFile.read("mine", "mine.suite", new StringReader(text));
  }

  @Test
  void readsSettingsAndOptionsInOrder() throws IOException {
    Suite suite = read(GOOD);

    assertThat(suite.name()).isEqualTo("mine");
    assertThat(suite.description()).isEqualTo("two sizes");
    assertThat(suite.settings())
        .isEqualTo(
            new ForkSettings(
                3,
                new Iterations(1, Duration.ofMillis(300)),
                new Iterations(5, Duration.ofSeconds(1))));
    assertThat(suite.options().keySet()).containsExactly("ranks", "bytes");
    assertThat(suite.options().get("bytes"))
        .isEqualTo(new Suite.Setting("20KiB , 1MiB", "mine.suite:6"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rank = 2         | mine.suite:9: unknown key 'rank'; known: description, forks",
        "seventeen        | mine.suite:9: expected 'key = value', not 'seventeen'",
        "algorithms =     | mine.suite:9: 'algorithms' has no value",
        "forks = 2        | mine.suite:9: 'forks' is already set at mine.suite:3",
      })
  void namesFileAndLineOfAMalformedLine(String line, String message) {
    assertThatThrownBy(() -> read(GOOD + line + "\n"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "forks = 3            | forks = 0            | mine.suite:3: forks: '0' is no number",
        "forks = 3            | forks = many         | mine.suite:3: forks: 'many' is no number",
        "warmup = 1x300ms     | warmup = 300ms       | mine.suite:7: warmup: '300ms' is no number",
        "measurement = 5x1s   | measurement = 0x1s   | mine.suite:8: measurement: at least one",
        "measurement = 5x1s   | measurement = 5x0ms  | mine.suite:8: measurement: iterations need",
      })
  void namesFileAndLineOfAWrongValue(String good, String bad, String message) {
    assertThatThrownBy(() -> read(GOOD.replace(good, bad)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"description", "forks", "warmup", "measurement"})
  void requiresItsOwnKeys(String key) {
    assertThatThrownBy(() -> read(GOOD.replaceAll("(?m)^" + key + " =.*\\n", "")))
        .isInstanceOf(UsageException.class)
        .hasMessage("mine.suite: '" + key + "' is missing");
  }

  @Test
  void bundledSuitesAreReadable() {
    for (String name : Suites.BUNDLED) {
      assertThat(Suites.find(name).description()).as(name).isNotBlank();
    }
  }

  @Test
  void anUnknownSuiteListsTheKnownOnes() {
    assertThatThrownBy(() -> Suites.find("quik"))
        .isInstanceOf(UsageException.class)
        .hasMessage("unknown suite 'quik'; known: smoke, quick, full, list, or a suite file");
    assertThatThrownBy(() -> Suites.find("no/such.suite"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("no suite file 'no/such.suite'");
  }

  @Test
  void aSuiteFileIsNamedByItsFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("my suite.txt"), GOOD);

    assertThat(Suites.find(file.toString()).name()).isEqualTo("my-suite");
  }

  @Test
  void aBinaryFileIsNoSuite(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("x.suite"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

    assertThatThrownBy(() -> Suites.find(file.toString()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is not a text file in UTF-8");
  }

  /** A new option is one of both, or is left out here on purpose. */
  @Test
  void aSuiteMaySetEveryOptionThatChoosesCases() {
    Set<String> options = new TreeSet<>(List.of("inflight", "graph", "baselines"));
    for (OptionSpec option : new CommandLine(new SharedOptions()).getCommandSpec().options()) {
      options.add(option.longestName().replaceFirst("^--", ""));
    }
    options.remove("seed"); // of a run, not of its cases

    assertThat(new TreeSet<>(SuiteFile.OPTION_KEYS)).isEqualTo(options);
  }
}
