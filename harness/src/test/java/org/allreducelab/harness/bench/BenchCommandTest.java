package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.allreducelab.harness.CommandRun;
import org.allreducelab.harness.SimulatedBackend;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.probes.ProbeCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchCommandTest {
  @TempDir private Path folder = Path.of("");

  private static CommandRun bench(String... args) {
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(args));
    return CommandRun.labOn(List.of(new SimulatedBackend()), all.toArray(String[]::new));
  }

  @Test
  void listsTheSuites() {
    CommandRun list = bench("--suite", "list", "--format", "csv");

    assertThat(list.code()).isZero();
    assertThat(list.out().lines().map(line -> line.split(",", -1)[0]))
        .containsExactly("suite", "smoke", "quick", "full");
  }

  @Test
  void aDryRunShowsCasesAndTimeAndRunsNothing() {
    CommandRun plan =
        bench("--dry-run", "--devices", "fake:0", "--baselines", "false", "--format", "csv");

    assertThat(plan.code()).isZero();
    assertThat(plan.out().lines())
        .hasSize(25)
        .contains("fake_0-n2-ring-20480B-bf16,2,20480,ring,3");
    assertThat(plan.err()).startsWith("24 cases × 3 forks: about 2 min");
  }

  /** An iteration ends with an invocation; a long one makes of the estimate a lower bound. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 2, 20KiB, about",
    "64, 1, 2, 20KiB, about",
    "256, 256, 2, 20KiB, at least",
    "1, 256, 8, 20KiB, at least",
    "64, 1, 64, 8KiB, at least",
    "1, 1, 2, 512MiB, at least"
  })
  void longInvocationsMakeTheEstimateALowerBound(
      String graph, String inflight, String ranks, String bytes, String word) {
    String options =
        "--dry-run --devices fake:0 --baselines false --algorithms ring --forks 1"
            + (" --ranks " + ranks + " --bytes " + bytes)
            + (" --graph " + graph + " --inflight " + inflight);

    CommandRun plan = bench(options.split(" ", -1));

    assertThat(plan.err()).startsWith("1 case × 1 fork: " + word);
    assertThat(plan.err().contains("outlasts")).isEqualTo(word.equals("at least"));
  }

  @Test
  void onDevicesEachSizeHasItsYardsticks() {
    CommandRun plan = bench("--dry-run", "--devices", "fake:0", "--format", "csv");

    assertThat(plan.err()).startsWith("32 cases × 3 forks");
    assertThat(plan.out())
        .contains("fake_0-n2-bare-copy-20480B-bf16,2,20480,bare-copy,3")
        .contains("fake_0-n4-one-shot-1048576B-bf16-single-queue,4,1048576,one-shot,3");
    assertThat(plan.out().lines().filter(line -> line.contains("bare-copy"))).hasSize(4);
  }

  @Test
  void theCpuHasNoYardsticks() {
    CommandRun plan = CommandRun.lab("bench", "--dry-run", "--devices", "cpu", "--format", "csv");

    assertThat(plan.err()).startsWith("24 cases × 3 forks");
  }

  /** The suite asks for 2 and 4 ranks; who types a device with ranks has said how many. */
  @Test
  void ranksOfTheSuiteGiveWayToThoseOfATypedDevice() {
    CommandRun plan =
        bench("--dry-run", "--devices", "fake:0x3", "--baselines", "false", "--format", "csv");

    assertThat(plan.code()).as(plan.err()).isZero();
    assertThat(plan.out().lines().skip(1)).hasSize(12).allMatch(l -> l.contains("-n3-"));
    CommandRun both = bench("--dry-run", "--devices", "fake:0x3", "--ranks", "2");
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err()).contains("--devices fake:0x3 fixes 3 ranks, --ranks says 2");
  }

  /** A record does not tell who said what. */
  @Test
  void ranksGiveWayInTheRecordOfSuchARunToo() {
    OptionValues recorded =
        OptionValues.recorded(Map.of("devices", "fake:0x3;fake:1", "ranks", "2,4", "bytes", "64"));

    BenchPlan plan =
        BenchPlan.of(recorded, Inventory.of(List.of(new SimulatedBackend())), ProbeCache.ofUser());

    assertThat(plan.cases().stream().map(BenchCase::ranks).distinct()).containsExactly(3, 2, 4);
  }

  @Test
  void aSuiteThatSaysTwoNumbersOfRanksIsRefused() throws IOException {
    Path file = folder.resolve("mine.suite");
    Files.writeString(
        file,
        """
        description = devices that fix ranks
        forks = 1
        warmup = 1x100ms
        measurement = 1x100ms
        devices = fake:0x3
        ranks = 2
        """);

    CommandRun run = bench("--suite", file.toString(), "--dry-run");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("fixes 3 ranks").hasLineCount(1);
  }

  @Test
  void whatRunsOnASingleQueueHasNoSuchYardstick() {
    CommandRun plan =
        bench("--dry-run", "--devices", "fake:0", "--placement", "single-queue", "--format", "csv");

    assertThat(plan.err()).startsWith("28 cases × 3 forks");
  }

  /** One-shot where it was chosen, else the first; an empty vector has nothing to copy. */
  @Test
  void yardsticksOfOddChoices() {
    CommandRun plan =
        bench(
            "--dry-run",
            "--devices",
            "fake:0",
            "--ranks",
            "2",
            "--count",
            "0,1",
            "--in-place",
            "both",
            "--algorithms",
            "two-shot,ring",
            "--format",
            "csv");

    assertThat(plan.out().lines().skip(1 + 8))
        .containsExactlyInAnyOrder(
            "fake_0-n2-bare-copy-2B-bf16,2,2,bare-copy,3",
            "fake_0-n2-two-shot-0B-bf16-single-queue,2,0,two-shot,3",
            "fake_0-n2-two-shot-2B-bf16-single-queue,2,2,two-shot,3",
            "fake_0-n2-two-shot-0B-bf16-single-queue-in-place,2,0,two-shot,3",
            "fake_0-n2-two-shot-2B-bf16-single-queue-in-place,2,2,two-shot,3");
  }

  @Test
  void whatIsTypedOverridesTheSuite() {
    CommandRun plan =
        bench(
            "--dry-run",
            "--baselines",
            "false",
            "--devices",
            "fake:0",
            "--ranks",
            "8",
            "--bytes",
            "64KiB",
            "--forks",
            "1",
            "--format",
            "csv");

    assertThat(plan.out().lines().skip(1))
        .hasSize(6)
        .allMatch(line -> line.startsWith("fake_0-n8-") && line.endsWith(",1"))
        .allMatch(line -> line.contains(",65536,"));
    CommandRun counts =
        bench(
            "--dry-run", "--devices", "fake:0", "--count", "3", "--ranks", "2", "--format", "csv");
    assertThat(counts.code()).as(counts.err()).isZero();
    assertThat(counts.out()).contains("fake_0-n2-ring-6B-bf16,2,6,ring,3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--suite quik            | 2 | unknown suite 'quik'; known: smoke, quick, full",
        "--algorithms rnig       | 2 | rnig",
        "--precision bf17        | 2 | bf17",
        "--ranks 0               | 2 | ranks must be 1 to",
        "--count -1              | 2 | count must be 0 to",
        "--forks 0               | 2 | --forks must be at least 1, not 0",
        "--forks x               | 2 | expected a whole number, such as 3, not 'x'",
        "--inflight 0            | 2 | inflight must be 1 to 256, not 0",
        "--graph 257             | 2 | graph must be 1 to 256, not 257",
        "--graph 2 --in-place true | 2 | in place, one all-reduce at a time",
        "--baselines no         | 2 | baselines must be true or false, not 'no'",
        "--inflight 2 --in-place true | 2 | in place, one all-reduce at a time",
        "--devices fake:9        | 4 | fake:9",
        "--devices ,             | 2 | ,",
        "--placement physical    | 4 | fake has no placement physical",
        "--resume nowhere        | 2 | no such file; a run is a folder",
        "--resume x --forks 2    | 2 | leave --suite, --forks",
        "--resume x --ranks 2    | 2 | --resume goes on with the run's own options",
      })
  void wrongInputGetsOneLineAndItsCode(String args, int code, String message) {
    List<String> all = new ArrayList<>(List.of(args.split(" ", -1)));
    if (!args.contains("--devices") && !args.contains("--resume")) {
      all.addAll(List.of("--devices", "fake:0"));
    }
    CommandRun run = bench(all.toArray(String[]::new));

    assertThat(run.code()).as(run.err()).isEqualTo(code);
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aSuitesWrongValueIsNamedByFileAndLine() throws IOException {
    Path file = folder.resolve("bad.suite");
    Files.writeString(
        file,
        """
        description = bad
        forks = 1
        warmup = 1x1ms
        measurement = 1x1ms
        ranks = two
        """);
    CommandRun run = bench("--suite", file.toString(), "--devices", "fake:0");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(file + ":5: ").contains("'two'").hasLineCount(1);
  }

  @Test
  void anExistingFolderIsNotWrittenInto() throws IOException {
    Files.writeString(folder.resolve("precious"), "data");
    CommandRun run = bench("--suite", "smoke", "--devices", "fake:0", "--out", folder.toString());

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("lab bench: " + folder + " is not empty; choose a new folder, or --resume it\n");
    assertThat(folder).isDirectoryContaining("glob:**/precious");
  }

  @Test
  void anUnwritableFolderIsAUsageError() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    CommandRun run = bench("--suite", "smoke", "--devices", "fake:0", "--out", file + "/run");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("cannot be written: ", "; choose another --out")
        .doesNotContain("Exception", "fork")
        .hasLineCount(1);
  }

  @Test
  void aDamagedRunIsNotResumed() throws IOException {
    Files.writeString(folder.resolve("run.json"), "{\"schemaVersion\": 1, \"status\": ");
    CommandRun run = bench("--resume", folder.toString());

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("run.json")
        .contains("run.json:1: not a run record (cut short")
        .hasLineCount(1);
  }
}
