package org.allreducelab.harness.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.allreducelab.harness.CommandRun;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.RunStatus;
import org.allreducelab.results.store.RunFolder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecodeCommandTest {
  @TempDir private Path folder = Path.of("");

  private static CommandRun decode(String... args) {
    List<String> all = new ArrayList<>(List.of("decode", "--devices", "cpu"));
    all.addAll(List.of(args));
    return CommandRun.lab(all.toArray(String[]::new));
  }

  @Test
  void aRealRunHasRowsTimelinesPhasesAndARecord() throws Exception {
    Path run = folder.resolve("run");
    CommandRun end =
        decode(
            "--model",
            "3b",
            "--trace",
            "multi-turn",
            "--prefill",
            "16",
            "--tokens",
            "8",
            "--policy",
            "grow-only,shrink",
            "--forks",
            "2",
            "--driver-model",
            "radv-visibility",
            "--compute",
            "0",
            "--out",
            run.toString(),
            "--format",
            "csv");

    assertThat(end.code()).as(end.err()).isZero();
    List<String> lines = end.out().lines().toList();
    assertThat(lines.get(0)).startsWith("policy,trace,phase,emulated,tokens_per_s,");
    assertThat(lines).hasSize(1 + 2 * 3);
    assertThat(lines.subList(1, 3)).allMatch(line -> line.contains(",multi-turn,decode,true,"));
    assertThat(lines.subList(5, 7)).allMatch(line -> line.contains(",multi-turn,prefill,true,"));

    RunRecord record = new RunFolder(run).read();
    assertThat(record.status()).isEqualTo(RunStatus.COMPLETE);
    assertThat(record.cases()).hasSize(2).allMatch(c -> c.emulated() && c.forks().size() == 2);
    assertThat(record.suite().options()).containsEntry("policy", "grow-only,shrink");
    assertThat(new RunFolder(run).phases().values())
        .hasSize(4)
        .allMatch(phases -> phases.keySet().containsAll(List.of("decode", "first", "prefill")));
    try (Stream<Path> files = Files.list(run.resolve("steps"))) {
      assertThat(files)
          .hasSize(4)
          .allSatisfy(
              file -> {
                List<String> steps = Files.readAllLines(file);
                assertThat(steps.get(0)).isEqualTo(StepSample.HEADER);
                assertThat(steps).hasSize(1 + 12);
              });
    }
    assertThat(run.resolve("step-report.json")).doesNotExist();
    goesOnWhereItStopped(run, end.out());
    JsonNode jmh = new ObjectMapper().readTree(run.resolve("jmh.json").toFile());
    assertThat(jmh.size()).isEqualTo(2);
    assertThat(jmh.get(0).path("mode").asText()).isEqualTo("ss");
  }

  /** Takes one fork out of the record, as if the run had been stopped before it. */
  private static void goesOnWhereItStopped(Path run, String table) throws Exception {
    ObjectMapper json = new ObjectMapper();
    ObjectNode record = (ObjectNode) json.readTree(run.resolve("run.json").toFile());
    record.put("status", "interrupted");
    ((ArrayNode) record.path("cases").path(1).path("forks")).remove(1);
    json.writeValue(run.resolve("run.json").toFile(), record);
    dropLogLines(run, record.path("cases").path(1).path("id").asText() + ".fork1");

    CommandRun wrong = CommandRun.lab("bench", "--resume", run.toString());
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("lab decode --resume goes on with it");
    CommandRun more = CommandRun.lab("decode", "--resume", run.toString(), "--tokens", "9");
    assertThat(more.err()).contains("--resume goes on with the run's own options");

    CommandRun resumed = CommandRun.lab("decode", "--resume", run.toString(), "--format", "csv");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(resumed.out().lines()).hasSameSizeAs(table.lines().toList());
    assertThat(new RunFolder(run).read().status()).isEqualTo(RunStatus.COMPLETE);
    assertThat(new RunFolder(run).phases()).hasSize(4);
  }

  @Test
  void aRunDoesNotGoOnWithAnEditedTrace() throws Exception {
    Path trace = folder.resolve("mine.csv");
    Files.writeString(trace, "phase,tokens,repeat\nprefill,4,1\ndecode,1,2\n");
    Path run = folder.resolve("run");
    CommandRun first =
        decode(
            "--model",
            "3b",
            "--trace",
            trace.toString(),
            "--policy",
            "grow-only",
            "--forks",
            "1",
            "--out",
            run.toString());
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(new RunFolder(run).read().suite().options())
        .containsEntry("trace-steps", "mine:prefill-4-1_decode-1-2");
    String before = Files.readString(run.resolve("run.json"));
    // The same case to look at: the largest message and all names are what they were.
    Files.writeString(trace, "phase,tokens,repeat\nprefill,4,1\ndecode,1,3\n");

    CommandRun resumed = CommandRun.lab("decode", "--resume", run.toString());

    assertThat(resumed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(resumed.err().strip())
        .isEqualTo(
            "lab decode: trace mine has other steps now than when this run was started; restore"
                + " its file, or start a new run");
    assertThat(Files.readString(run.resolve("run.json"))).isEqualTo(before);
  }

  private static void dropLogLines(Path run, String tag) throws Exception {
    Path log = run.resolve("latency.hlog");
    List<String> kept =
        Files.readAllLines(log).stream().filter(line -> !line.startsWith("Tag=" + tag)).toList();
    Files.write(log, kept);
  }

  @Test
  void aDryRunShowsTheWindowsOfFixed() {
    CommandRun plan = decode("--dry-run", "--policy", "shrink,fixed:64KiB", "--format", "csv");
    assertThat(plan.code()).isZero();
    assertThat(plan.out().lines().skip(1))
        .containsExactly(
            "cpu-n2-ring-32b-single-turn-shrink-f32-staged-host,shrink,single-turn,65,10485760,0,3",
            "cpu-n2-ring-32b-single-turn-fixed_64KiB-f32-staged-host,fixed:64KiB,single-turn,65,"
                + "10485760,10240,3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--transport direct|warning: nothing is staged on cpu (2 ranks, ring, direct): policies"
            + " decide nothing there",
        "--ranks 1|warning: nothing is staged on cpu (1 rank, ring, staged-host)",
        // One policy is no comparison; narrowed messages and staged ones need slots.
        "--transport direct --policy grow-only|",
        "--transport direct --precision f32-bf16wire|",
        "--transport staged-host|",
      })
  void policiesThatDecideNothingAreWarnedOf(String args, @Nullable String warning) {
    List<String> all = new ArrayList<>(List.of("--dry-run"));
    all.addAll(List.of(args.split(" ", -1)));
    CommandRun plan = decode(all.toArray(String[]::new));

    assertThat(plan.code()).as(plan.err()).isZero();
    if (warning == null) {
      assertThat(plan.err()).isEmpty();
    } else {
      assertThat(plan.err()).startsWith(warning).hasLineCount(1);
    }
  }

  @Test
  void theRunRecordsThatPoliciesDecideNothing() throws Exception {
    Path run = folder.resolve("direct");
    CommandRun end =
        decode(
            "--transport",
            "direct",
            "--policy",
            "grow-only,shrink",
            "--model",
            "3b",
            "--prefill",
            "2",
            "--tokens",
            "2",
            "--forks",
            "1",
            "--out",
            run.toString());

    assertThat(end.code()).as(end.err()).isZero();
    assertThat(end.err()).contains("warning: nothing is staged on cpu");
    assertThat(end.out()).contains("nothing was staged, so policies decide nothing here");
    assertThat(new RunFolder(run).read().environment().warnings())
        .anyMatch(warning -> warning.startsWith("nothing is staged on cpu"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--model 7b|2|unknown model '7b'",
        "--trace nothing|2|unknown trace 'nothing'",
        "--trace no/such.csv|2|cannot read trace file no/such.csv: no such file",
        "--memory-cap 1KiB,2MiB|2|--memory-cap must be one size, not 1KiB,2MiB",
        "--policy shrunk|2|unknown staging policy 'shrunk'",
        "--policy fixed:16|2|a staging capacity of 16 bytes is too little",
        "--prefill 0|2|--prefill must be at least 1, not 0",
        "--await never|2|unknown --await 'never'; known: token, each",
        "--driver-model nouveau|2|unknown driver model 'nouveau'",
        "--driver-model radv-visibility:perMiB=-1us|2|malformed parameter of radv-visibility:"
            + " 'perMiB=-1us'; expected what a wait costs",
        "--inactive 2|2|--inactive: '2' is no rank; the ranks are 0 to 1",
        "--inactive 0,1|2|--inactive: at least one of the 2 ranks must be active",
        "--bytes 8|2|the model and the trace decide the sizes here",
        "--in-place true|2|decode runs out of place",
        "--rate 0|2|--rate must be a number of steps per second above 0",
        "--forks 0|2|--forks and --passes must be at least 1",
        "--memory-cap 4MiB --policy grow-only|2|trace single-turn does not fit: policy grow-only"
            + " keeps 10485760 bytes of staging memory on a rank at a step of 512 tokens, and"
            + " --memory-cap allows 4194304"
      })
  void wrongInputGetsOneLine(String args, int code, String message) {
    CommandRun end = decode(args.split(" ", -1));
    assertThat(end.code()).isEqualTo(code);
    assertThat(end.err().strip().lines()).hasSize(1);
    assertThat(end.err()).contains(message);
    assertThat(end.out()).isEmpty();
  }

  @Test
  void twoTracesOfOneNameAreNotMeasuredAsOne() throws Exception {
    Path file = Files.writeString(folder.resolve("single-turn.csv"), "phase,tokens\ndecode,2\n");

    CommandRun end = decode("--dry-run", "--trace", "single-turn," + file);

    assertThat(end.code()).isEqualTo(ExitCode.USAGE);
    assertThat(end.err().strip())
        .endsWith("two traces are called single-turn; give one of the files another name");
  }

  @Test
  void aWrongValueIsToldBeforeTheDevicesAre() {
    CommandRun end = CommandRun.lab("decode", "--model", "7b");

    assertThat(end.err().strip().lines()).hasSize(1);
  }

  @Test
  void aTraceThatFitsTheCapRuns() {
    CommandRun plan = decode("--dry-run", "--memory-cap", "4MiB", "--policy", "fixed:64KiB");
    assertThat(plan.code()).isEqualTo(ExitCode.OK);
  }
}
