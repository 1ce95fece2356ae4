package org.allreducelab.harness.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.harness.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateCommandTest {
  private static CommandRun simulate(String... args) {
    List<String> all = new ArrayList<>(List.of("simulate"));
    all.addAll(List.of(args));
    return CommandRun.lab(all.toArray(String[]::new));
  }

  private static List<String[]> rows(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--format", "csv"));
    CommandRun run = simulate(all.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    return run.out().lines().skip(1).map(line -> line.split(",", -1)).toList();
  }

  /**
   * Two ranks, 128 all-reduces a token of 4 waits each, 74 µs a resident MiB, 32 ms computing: 10
   * MiB kept is 411 ms a token; with 20 KiB it is the computing and little more.
   */
  @ParameterizedTest
  @ValueSource(ints = {64, 512, 4096})
  void theCaseThatStartedThisFollowsFromArithmetic(int prefill) {
    List<String[]> rows =
        rows(
            "--decode",
            "--driver-model",
            "radv-visibility",
            "--policy",
            "grow-only,shrink",
            "--prefill",
            String.valueOf(prefill));
    String[] shrink = rows.get(0);
    String[] growOnly = rows.get(1);
    assertThat(shrink).startsWith("shrink", "single-turn", "decode", "true");
    assertThat(growOnly).startsWith("grow-only", "single-turn", "decode", "true");
    assertThat(Double.parseDouble(shrink[4]))
        .as("whatever the prefill")
        .isCloseTo(30.43, within(0.01));
    double tokenMs = 32 + 128 * 4 * 0.074 * (20.0 * prefill / 1024);
    assertThat(Double.parseDouble(growOnly[5])).isCloseTo(tokenMs, within(0.2));
    if (prefill == 512) {
      assertThat(Double.parseDouble(growOnly[4])).isCloseTo(2.43, within(0.01));
    }
  }

  /** Alternating 1 and 8 tokens: shrink changes at every step, the others do not. */
  @Test
  void speculationMakesShrinkReallocateAtEveryStep() {
    List<String[]> rows = rows("--decode", "--trace", "speculative", "--tokens", "64");
    for (String[] row : rows) {
      if (row[2].equals("decode")) {
        long changes = Long.parseLong(row[6]);
        switch (row[0]) {
          case "shrink" -> assertThat(changes).isEqualTo(16);
          case "size-classes" -> assertThat(changes).isEqualTo(2);
          default -> assertThat(changes).as(row[0]).isLessThanOrEqualTo(2);
        }
      }
    }
  }

  @Test
  void onlyADriverModelIsEmulated() {
    assertThat(rows("--decode")).isNotEmpty().allMatch(row -> row[3].equals("false"));
  }

  @Test
  void smallVectorsAreForTheFewestStepsAndLargeOnesForTheLeastVolume() {
    List<String[]> rows =
        rows("--ranks", "8", "--bytes", "1KiB,64MiB", "--algorithms", "one-shot,ring");
    assertThat(rows).hasSize(4);
    assertThat(rows.get(0)).contains("one-shot", "fastest", "schedule");
    assertThat(rows.get(3)).contains("ring", "fastest");
    List<String[]> crossovers =
        rows("--crossovers", "--bytes", "1KiB,64MiB", "--algorithms", "one-shot,ring");
    assertThat(crossovers).hasSize(1);
    assertThat(crossovers.get(0)).startsWith("8").endsWith("ring", "one-shot");
    // 14 steps of 5 µs against 1, and 7 vectors moved and added against 1.75 and 0.875.
    double bytes = 13 * 5000 / ((7 - 1.75) / 25 + (7 - 0.875) / 100);
    assertThat(Double.parseDouble(crossovers.get(0)[1])).isCloseTo(bytes, within(bytes * 0.02));
  }

  @Test
  void whereNothingCrossesOverItSaysSo() {
    String[] args = {"--crossovers", "--bytes", "8MiB,64MiB", "--algorithms", "naive,ring"};

    assertThat(simulate(args).out())
        .isEqualTo("no crossover: the fastest algorithm is the same at all these sizes\n");
    assertThat(rows(args)).isEmpty();
  }

  @Test
  void beyondWhatCanBeScheduledPricesAreClosedFormsAndSaySo() {
    List<String[]> rows =
        rows("--ranks", "4096,4098", "--bytes", "20KiB", "--algorithms", "one-shot");
    assertThat(rows.get(0)).contains("4096", "schedule");
    assertThat(rows.get(1)).contains("4098", "closed form");
    assertThat(Double.parseDouble(rows.get(1)[3]))
        .isCloseTo(Double.parseDouble(rows.get(0)[3]), within(5.0));
    assertThat(rows("--ranks", "1000000", "--bytes", "20KiB")).hasSize(12);
  }

  @Test
  void nodesMakeFarLinksSlow() {
    double near = time("--ranks", "8", "--node", "8");
    double flat = time("--ranks", "8");
    double twoNodes = time("--ranks", "8", "--node", "4", "--far-bandwidth", "1");
    assertThat(near).isEqualTo(flat);
    assertThat(twoNodes).isGreaterThan(5 * flat);
  }

  private static double time(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--algorithms", "ring", "--bytes", "64MiB"));
    return Double.parseDouble(rows(all.toArray(String[]::new)).get(0)[3]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--ranks 2000000|ranks must be 1 to 1048576, not 2000000",
        "--bandwidth 0|--bandwidth must be a bandwidth in GB/s above 0, not 0.0",
        "--far-alpha 9us|--far-alpha and --far-bandwidth need --node",
        "--alpha-counts hops|unknown --alpha-counts 'hops'; known: steps, messages",
        "--alpha 5|malformed time '5'",
        "--policy shrink|--policy is for --decode",
        "--model 8b|--model is for --decode",
        "--trace multi-turn|--trace is for --decode",
        "--prefill 64|--prefill is for --decode",
        "--tokens 9|--tokens is for --decode",
        "--compute 3ms|--compute is for --decode",
        "--decode --crossovers|--crossovers compares sizes",
        "--crossovers --bytes 8KiB|--crossovers looks between sizes; give at least two",
        "--crossovers --count 9|--crossovers looks between sizes; give at least two",
        "--crossovers --algorithms ring|--crossovers compares algorithms; give at least two",
        "--bytes 1TiB|bytes must be 0 to 2147483639 (one array, just under 2 GiB), not 1TiB",
        "--decode --driver-model radv-visibility:perMiB=-1us|expected what a wait costs",
        "--decode --bytes 8|the model and the trace decide the sizes of --decode",
        "--decode --ranks 65|waits are counted on lowered programs, of at most 64 ranks, not 65",
        "--decode --algorithms ring,swing|simulate takes one algorithm here, not 2",
        "--ranks 5000 --alpha-counts messages|beyond 4096 ranks prices are closed forms",
        "--ranks 3 --precision sycl-truncating|sycl-truncating is defined for at most 2 ranks"
      })
  void wrongInputGetsOneLine(String args, String message) {
    CommandRun run = simulate(args.split(" ", -1));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err().strip().lines()).hasSize(1);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }
}
