package org.allreducelab.harness.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.allreducelab.harness.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainCommandTest {
  private static CommandRun explain(String options) {
    return CommandRun.lab(("explain " + options).split(" "));
  }

  /** To change a golden file, run the command into it and read what changed. */
  private static String golden(String name) throws IOException {
    try (InputStream in = ExplainCommandTest.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ring-4.txt, ring --ranks 4",
    "halving-doubling-5.txt, halving-doubling --ranks 5",
    "circulant-6.txt, circulant --ranks 6 --precision bf16-f32acc",
    "swing-16.txt, swing --ranks 16 --count 128",
    "double-binary-tree-3.txt, double-binary-tree --ranks 3 --precision f32-bf16wire",
    "ring-4-ranks-differ.txt, ring --ranks 4 --precision vulkan-f16wire --bytes 2MiB",
    "one-shot-8.txt, one-shot --ranks 8",
    "naive-1.txt, naive --ranks 1 --count 1",
    "ring-64.txt, ring --ranks 64",
  })
  void isTheGoldenText(String file, String options) throws IOException {
    CommandRun run = explain(options);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo(golden(file));
  }

  @Test
  void fourRanksAndTwentyKibibytesAreTheDefault() {
    assertThat(explain("ring").out()).isEqualTo(explain("ring --ranks 4 --bytes 20KiB").out());
  }

  @Test
  void nothingToDoIsExplainedToo() {
    assertThat(explain("ring --count 0").code()).isZero();
  }

  @Test
  void programsGetTheCombines() {
    CommandRun run = explain("naive --ranks 3 --count 9 --format csv");
    assertThat(run.out())
        .isEqualTo(
            """
            round,rank,from,to,operands
            0,0,0,9,0+1+2
            1,0,0,9,0
            1,1,0,9,0
            1,2,0,9,0
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rign|unknown algorithm 'rign'",
        "all|explain takes one algorithm, not 12",
        "ring --ranks 2-4|explain takes one number of ranks",
        "ring --ranks 0|ranks must be 1 to 1024",
        "ring --precision sycl-truncating --ranks 3|at most 2 ranks, not 3",
        "ring --bytes 1|expected a multiple of 2",
        "ring --granule 0|at least 1",
      })
  void wrongInputIsAUsageError(String options, String message) {
    CommandRun run = explain(options);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("lab explain: ").contains(message).hasLineCount(1);
  }

  @Test
  void theAlgorithmIsNeeded() {
    CommandRun run = CommandRun.lab("explain");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("ALGORITHM").hasLineCount(1);
  }
}
