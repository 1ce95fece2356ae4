package org.allreducelab.results.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.Choice;
import org.allreducelab.results.Choices;
import org.allreducelab.results.DeviceInfo;
import org.allreducelab.results.Environment;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.IterationPlan;
import org.allreducelab.results.Jvm;
import org.allreducelab.results.LabBuild;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.Machine;
import org.allreducelab.results.Measurement;
import org.allreducelab.results.ResultKey;
import org.allreducelab.results.Row;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.RunStatus;
import org.allreducelab.results.Score;
import org.allreducelab.results.SuiteInfo;
import org.allreducelab.results.TimeParts;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.Verification;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunJsonTest {
  private static final Choices EVERY_CHOICE =
      new Choices(
          SampleRun.CHOICES.placement(),
          SampleRun.CHOICES.transport(),
          SampleRun.CHOICES.sync(),
          SampleRun.CHOICES.barrier(),
          SampleRun.CHOICES.kernel(),
          new Choice("dma-buf", "may be shared across devices"),
          new Choice("0+2", "forced"),
          new Choice("4", "one for each rank"));
  private static final JsonMapper MAPPER = new JsonMapper();

  @TempDir private Path folder;

  @Test
  void whatIsWrittenIsReadBackAsItWas() throws IOException {
    RunRecord run = everyField();
    assertThat(RunJson.read(write(new RunJsonWriter().write(run)))).isEqualTo(run);
  }

  @Test
  void whatIsWrittenFitsTheSchema() throws IOException {
    JsonNode json = MAPPER.readTree(new RunJsonWriter().write(everyField()));
    assertThat(schema().validate(json)).isEmpty();
  }

  @Test
  void theSchemaFindsFaults() throws IOException {
    String good = new String(new RunJsonWriter().write(everyField()), StandardCharsets.UTF_8);
    for (String[] fault :
        new String[][] {
          {"\"EXACT\"", "\"exact\""},
          {"\"ranks\" : 4", "\"ranks\" : 0"},
          {"\"bytes\" : 20480", "\"octets\" : 20480"},
          {"\"failure\" : \"", "\"reason\" : \""},
          {"2026-11-30T12:00:00Z", "2026-11-30 12:00"}
        }) {
      String bad = good.replace(fault[0], fault[1]);
      assertThat(bad).isNotEqualTo(good);
      assertThat(schema().validate(MAPPER.readTree(bad))).as(fault[1]).isNotEmpty();
    }
  }

  @Test
  void theSchemaAndTheDocumentKnowExactlyTheFieldsOfTheRecords() throws IOException {
    JsonNode schema = MAPPER.readTree(schemaText());
    String document = Files.readString(Path.of("..", "docs", "run-format.md"));
    for (Class<?> type :
        List.of(
            LabBuild.class,
            Jvm.class,
            Machine.class,
            DeviceInfo.class,
            Environment.class,
            IterationPlan.class,
            SuiteInfo.class,
            ResultKey.class,
            Choice.class,
            Choices.class,
            Verification.class,
            Score.class,
            LatencySummary.class,
            TimeParts.class,
            ForkRecord.class,
            CaseRecord.class,
            Row.class)) {
      String name = type.getSimpleName();
      JsonNode definition =
          schema.at("/$defs/" + name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1));
      assertThat(names(definition)).as(name).isEqualTo(components(type));
      assertThat(document).contains(components(type).stream().map(n -> "`" + n + "`").toList());
    }
    Set<String> root = components(RunRecord.class);
    root.add("rows");
    assertThat(names(schema)).isEqualTo(root);
    assertThat(document).contains(root.stream().map(n -> "`" + n + "`").toList());
  }

  /** Written by version 0.1.0; it must stay readable for ever, so never change the file. */
  @Test
  void readsTheFixtureOfSchemaVersion1() throws IOException {
    Path fixture = SampleRun.fixture().resolve("run.json");
    RunRecord run = RunJson.read(fixture);

    assertThat(run.status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.environment()).isEqualTo(SampleRun.environment());
    assertThat(run.suite()).isEqualTo(SampleRun.suite(3));
    assertThat(run.pending()).hasSize(3);
    ForkRecord fork = run.caseOf(SampleRun.RING).forks().get(0);
    assertThat(fork.before()).isEqualTo(SampleRun.EXACT);
    assertThat(fork.latency()).isEqualTo(SampleRun.measurement(SampleRun.RING, 100).latency());
    assertThat(schema().validate(MAPPER.readTree(Files.readAllBytes(fixture)))).isEmpty();
  }

  @Test
  void fieldsOfALaterLabAreSkipped() throws IOException {
    String later =
        text(everyField())
            .replace("\"lab\" : {", "\"lab\" : { \"flavour\" : [ 1, { \"a\" : 2 } ],")
            .replace("\"schemaVersion\" : 1,", "\"schemaVersion\" : 1, \"minor\" : 7,");
    assertThat(RunJson.read(write(later))).isEqualTo(everyField());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "2", "999999999999"})
  void anotherSchemaVersionIsRefused(String version) throws IOException {
    Path file =
        write(
            text(everyField()).replace("\"schemaVersion\" : 1", "\"schemaVersion\" : " + version));
    assertThatThrownBy(() -> RunJson.read(file))
        .hasMessage(
            file
                + ": schemaVersion "
                + version
                + "; this lab reads version 1: use the lab that wrote it")
        .extracting(e -> ((RunFolderException) e).kind())
        .isEqualTo(Kind.OTHER_SCHEMA);
  }

  /** Each damage names the file, the place and the reason, in one line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"status\" : \"interrupted\" | \"status\" : \"done\" | status: 'done': expected one of | interrupted",
        "\"ranks\" : 4 | \"ranks\" : \"4\" | cases[0].key.ranks: | of the wrong kind",
        "\"ranks\" : 4 | \"ranks\" : 4.5 | cases[0].key.ranks: | of the wrong kind",
        "\"ranks\" : 4 | \"ranks\" : 0 | cases[0].key: | at least 1",
        "\"ranks\" : 4, | `` | cases[0].key | ranks",
        "\"benchmark\" : \"allreduce\" | \"benchmark\" : \"a b\" | edited by hand | may only hold",
        "\"cores\" : 2 | \"cores\" : null | environment.machine.cores: | of the wrong kind",
        "\"wrongElements\" : 0 | \"wrongElements\" : 3 | edited by hand | contradicts 3 wrong elements",
        "12:00:00Z | 12:00:00 | edited by hand | expected a UTC time",
        "\"forks\" : 3 | \"forks\" : 1 | edited by hand | fork 1 of 1",
        "\"seed\" : 42 | \"seed\" : 42, \"seed\" : 43 | edited by hand | field 'seed' stands twice"
      })
  void damageIsReportedWithItsPlace(String good, String bad, String place, String reason)
      throws IOException {
    String text = text(everyField());
    assertThat(text).contains(good);
    Path file = write(text.replace(good, bad));
    assertThatThrownBy(() -> RunJson.read(file))
        .isInstanceOf(RunFolderException.class)
        .hasMessageMatching(Pattern.quote(file.toString()) + ":\\d+: not a run record .*")
        .hasMessageNotContaining("column")
        .hasMessageNotContaining("org.")
        .hasCauseInstanceOf(JsonProcessingException.class)
        .hasMessageContaining(place)
        .hasMessageContaining(reason)
        .hasMessageNotContaining("\n")
        .extracting(e -> ((RunFolderException) e).kind())
        .isEqualTo(Kind.DAMAGED);
  }

  @Test
  void aFileCutShortAnywhereIsDamaged() throws IOException {
    String text = text(everyField()).strip();
    for (int length = 0; length < text.length(); length += 97) {
      Path file = write(text.substring(0, length));
      assertThatThrownBy(() -> RunJson.read(file))
          .hasMessageStartingWith(file.toString())
          .hasMessageContaining("not a run record")
          .hasMessageNotContaining("org.")
          .extracting(e -> ((RunFolderException) e).kind())
          .isEqualTo(Kind.DAMAGED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "7", "{}", "{\"schemaVersion\":\"1\"}"})
  void anotherJsonFileIsNoRun(String text) throws IOException {
    Path file = write(text);
    assertThatThrownBy(() -> RunJson.read(file)).hasMessageContaining("not a run record");
  }

  @Test
  void aMissingFileIsReported() {
    assertThatThrownBy(() -> RunJson.read(folder.resolve("run.json")))
        .hasMessageContaining("a run is a folder that holds a run.json")
        .extracting(e -> ((RunFolderException) e).kind())
        .isEqualTo(Kind.UNREADABLE);
  }

  @Test
  void aWriterThatHasWrittenBeforeWritesTheSame() {
    RunJsonWriter writer = new RunJsonWriter();
    RunRecord run = everyField();
    writer.write(run);
    RunRecord changed =
        run.withCase(
            SampleRun.NAIVE,
            c -> c.withFork(ForkRecord.failed(0, SampleRun.START, 5, null, null, "refused")));
    assertThat(writer.write(changed)).isEqualTo(new RunJsonWriter().write(changed));
    assertThat(writer.write(run)).isEqualTo(new RunJsonWriter().write(run));
  }

  @Test
  void eachCaseAndEachRowIsOneLine() throws IOException {
    List<String> lines = text(everyField()).lines().toList();
    assertThat(lines).filteredOn(l -> l.contains("\"caseId\"")).hasSize(3);
    assertThat(lines).filteredOn(l -> l.contains("\"rankOrder\"")).hasSize(2);
  }

  /** One ok fork, one failed, one interrupted, every optional field present somewhere. */
  private static RunRecord everyField() {
    Measurement measurement = SampleRun.measurement(SampleRun.RING, 100);
    ForkRecord ok = SampleRun.ok(0, measurement);
    ForkRecord allocating =
        new ForkRecord(
            ok.index(),
            ok.status(),
            null,
            ok.start(),
            ok.elapsedMs(),
            ok.before(),
            ok.after(),
            new Score("avgt", 104.5, 0.5, "us/op"),
            ok.latency(),
            16.0,
            new TimeParts(4000L, 90000L, 60000L, 20000L, 9000L));
    ForkRecord failed =
        ForkRecord.failed(
            1,
            SampleRun.START,
            700,
            SampleRun.EXACT,
            new Verification(Verdict.WRONG, 40960, 3, true),
            "3 wrong elements\n  after timing");
    assertThat(failed.failure()).isEqualTo("3 wrong elements after timing");
    return RunRecord.planned(SampleRun.environment(), SampleRun.suite(3), SampleRun.cases())
        .withCase(SampleRun.RING, c -> c.withChoices(EVERY_CHOICE))
        .resumedIn(SampleRun.environment())
        .withCase(SampleRun.RING, c -> c.withFork(allocating).withFork(failed))
        .withCase(
            SampleRun.NAIVE,
            c -> c.withFork(ForkRecord.interrupted(2, SampleRun.START, 5)).asBaseline())
        .finishedAt(SampleRun.START.plusSeconds(60));
  }

  private static String text(RunRecord run) {
    return new String(new RunJsonWriter().write(run), StandardCharsets.UTF_8);
  }

  private Path write(String text) throws IOException {
    return write(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("run.json"), bytes);
  }

  private static JsonSchema schema() throws IOException {
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schemaText());
  }

  private static String schemaText() throws IOException {
    try (InputStream in = RunRecord.class.getResourceAsStream("run.schema.json")) {
      return new String(requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Set<String> names(JsonNode definition) {
    Set<String> names = new LinkedHashSet<>();
    definition.path("properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Set<String> components(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(RecordComponent::getName)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
