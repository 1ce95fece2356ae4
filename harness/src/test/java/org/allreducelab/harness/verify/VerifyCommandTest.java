package org.allreducelab.harness.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Transport;
import org.allreducelab.harness.CommandRun;
import org.allreducelab.harness.SimulatedBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VerifyCommandTest {
  private static CommandRun verify(SimulatedBackend device, String... args) {
    List<String> all = new ArrayList<>(List.of("verify"));
    all.addAll(List.of(args));
    return CommandRun.labOn(List.of(device), all.toArray(String[]::new));
  }

  private static final SimulatedBackend RIGHT = SimulatedBackend.cpu(SimulatedBackend.Fault.NONE);

  /** Adds one to the bits of an element of a rank after a round, in vectors long enough. */
  private static SimulatedBackend wrongAfter(int round, int rank, int element) {
    return SimulatedBackend.cpu(
        (schedule, r, states) -> {
          if (r == round && schedule.count() > element) {
            int bits = ElementType.BF16.get(states[rank], element);
            ElementType.BF16.put(states[rank], element, bits ^ 0x4000);
          }
        });
  }

  @AfterEach
  void everyGroupIsClosed() {
    assertThat(LiveObjects.snapshot())
        .doesNotContainKeys(SimulatedBackend.LIVE_GROUPS, SimulatedBackend.LIVE_COLLECTIVES);
  }

  @Test
  void aRightDeviceIsExactAndTheCoverageIsTold() {
    CommandRun run = verify(RIGHT, "--ranks", "2-4", "--count", "1,9,100", "--seed", "7");
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("all EXACT: 216 cases = 12 algorithms × ranks 2-4 × counts 1, 9, 100 × bf16")
        .contains("direct, staged-host", "seed 7", "wide-range");
  }

  @Test
  void theTableHasARowPerAlgorithm() {
    CommandRun run =
        verify(
            RIGHT,
            "--ranks",
            "3",
            "--algorithms",
            "ring,naive",
            "--count",
            "100,1000",
            "--seed",
            "3");
    assertThat(run.out())
        .startsWith(
            """
            devices  precision  algorithm  ranks  cases  verdict  ranks differ  expected  size invariance
            cpu      bf16       ring           3      4  EXACT             0 %       0 %  may change:""");
    assertThat(run.out())
        .contains(
            "cpu      bf16       naive          3      4  EXACT             0 %       0 %  holds\n");
  }

  @Test
  void ranksThatMustDifferDiffer() {
    CommandRun run =
        verify(
            RIGHT,
            "--ranks",
            "2",
            "--algorithms",
            "ring",
            "--count",
            "40000",
            "--precision",
            "sycl-truncating",
            "--format",
            "csv");
    assertThat(run.code()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(0)).startsWith("devices,precision,algorithm,ranks,cases,verdict,");
    String[] cells = lines.get(1).split(",", -1);
    assertThat(cells[6]).isEqualTo(cells[7]);
    assertThat(Double.parseDouble(cells[6])).isBetween(1e-9, 100.0);
    assertThat(run.err()).contains("all EXACT: 2 cases");
  }

  @Test
  void programsGetPlainNumbersAndArrays() throws JsonProcessingException {
    String[] what = {"--ranks", "2,3", "--algorithms", "naive", "--count", "9", "--format"};

    JsonNode row = new ObjectMapper().readTree(verify(RIGHT, plus(what, "json")).out()).path(0);
    assertThat(row.path("ranks")).extracting(JsonNode::asInt).containsExactly(2, 3);
    assertThat(row.path("ranks_differ_percent").isNumber()).isTrue();
    assertThat(row.path("expected_differ_percent").asDouble(-1)).isZero();
    assertThat(verify(RIGHT, plus(what, "csv")).out())
        .contains("cpu,bf16,naive,\"2,3\",4,EXACT,0.0,0.0,");
  }

  private static String[] plus(String[] args, String last) {
    String[] all = Arrays.copyOf(args, args.length + 1);
    all[args.length] = last;
    return all;
  }

  @Test
  void aWrongValueIsBlamedOnItsFirstRound() {
    CommandRun run =
        verify(
            wrongAfter(2, 3, 17),
            "--ranks",
            "4",
            "--algorithms",
            "ring",
            "--count",
            "1000",
            "--transport",
            "direct",
            "--seed",
            "5");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("WRONG  ring, 4 ranks, bf16, cpu, direct, out of place, 1000 elements")
        .containsPattern("rank \\d, element 17 \\([a-z-]+\\): expected [0-9A-F]{4} \\(")
        .containsPattern(
            "first wrong round: round 2, rank 3, element 17: "
                + "rank 2 [0-9A-F]{4} \\+ rank 3 [0-9A-F]{4} -> [0-9A-F]{4}, got [0-9A-F]{4}")
        .contains(
            "reproduce: ./lab verify --devices cpu --ranks 4 --algorithms ring --count 1000"
                + " --precision bf16 --transport direct --in-place false --seed 5")
        .contains("1 of 1 NOT EXACT");
  }

  @Test
  void theReproductionShowsTheSameMismatch() {
    SimulatedBackend wrong = wrongAfter(1, 2, 40);
    CommandRun run = verify(wrong, "--ranks", "3", "--algorithms", "two-shot", "--granule", "16");
    String line = run.out().lines().filter(l -> l.contains("reproduce:")).findFirst().orElseThrow();
    String[] args = line.substring(line.indexOf("verify") + 7).split(" ");
    CommandRun again = verify(wrong, args);
    assertThat(again.code()).isEqualTo(1);
    assertThat(run.out()).contains(again.out().lines().toList().subList(0, 4));
  }

  @Test
  void aFaultThatDoesNotReturnIsCalledTransient() {
    int[] runs = {0};
    SimulatedBackend once =
        SimulatedBackend.cpu(
            (schedule, r, states) -> {
              if (r == 0 && runs[0]++ == 0) {
                Arrays.fill(states[0], (byte) 1);
              }
            });
    CommandRun run =
        verify(once, "--ranks", "2", "--algorithms", "one-shot", "--count", "9", "--seed", "5");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("the fault is transient").contains("round 0, rank 0, element 0");
  }

  @Test
  void inARowInPlaceEachTakesTheResultOfTheOneBefore() {
    CommandRun run = verify(RIGHT, "--graph", "3", "--in-place", "both", "--ranks", "3");
    assertThat(run.code()).as(run.out()).isZero();
    assertThat(run.out()).contains("out of place, in place × direct, staged-host × 3 in a row;");
  }

  /** Out of place the next repetition would cover it. */
  @Test
  void aFaultOfARepetitionInTheMiddleShowsInPlace() {
    int[] rounds = {0};
    SimulatedBackend second =
        SimulatedBackend.cpu(
            (schedule, r, states) -> {
              if (rounds[0]++ == 1) {
                ElementType.BF16.put(states[1], 2, ElementType.BF16.get(states[1], 2) ^ 0x4000);
              }
            });
    List<String> args = new ArrayList<>(List.of("--graph", "3", "--ranks", "2", "--count", "9"));
    args.addAll(List.of("--algorithms", "one-shot", "--transport", "direct", "--seed", "5"));
    args.addAll(List.of("--in-place", "true"));
    CommandRun run = verify(second, args.toArray(String[]::new));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("in place, 9 elements, 3 in a row")
        .contains("element 2 (")
        .contains("is transient, or lies in how executions follow each other; the value comes from")
        .contains("--in-place true --graph 3 ");
  }

  @Test
  void aGraphIsOneToTwoHundredAndFiftySix() {
    CommandRun run = verify(RIGHT, "--graph", "257");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--graph must be 1 to 256, not 257");
  }

  @Test
  void onlyTheFirstMismatchesAreExplainedAllAreCounted() {
    CommandRun run = verify(wrongAfter(0, 0, 0), "--ranks", "2-4", "--count", "9,10");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out().lines().filter(l -> l.contains("first wrong round"))).hasSize(10);
    assertThat(run.out().lines().filter(l -> l.contains("reproduce:")).count()).isGreaterThan(10);
  }

  @Test
  void otherNanPayloadsAreNanClassAndNotSuccess() {
    SimulatedBackend payloads =
        SimulatedBackend.cpu(
            (schedule, r, states) -> {
              for (int e = 0; e < schedule.count(); e++) {
                if (ElementType.BF16.isNan(ElementType.BF16.get(states[0], e))) {
                  ElementType.BF16.put(states[0], e, 0x7fc1);
                }
              }
            });
    CommandRun run =
        verify(payloads, "--ranks", "2", "--algorithms", "one-shot", "--count", "1000");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("NAN-CLASS  one-shot")
        .contains("expected 7FC0 (NaN), got 7FC1 (NaN)");
  }

  @Test
  void anotherRoundingIsBounded() {
    SimulatedBackend lastBit =
        SimulatedBackend.cpu(
            (schedule, r, states) -> {
              for (int e = 0; e < schedule.count(); e++) {
                int bits = ElementType.BF16.get(states[0], e);
                int exponent = bits & 0x7f80;
                if (exponent > 0x1000 && exponent < 0x7e00 && (bits & 0x7f) < 0x40) {
                  ElementType.BF16.put(states[0], e, bits ^ 1);
                }
              }
            });
    CommandRun run =
        verify(
            lastBit, "--ranks", "8", "--algorithms", "one-shot", "--count", "100", "--seed", "2");
    assertThat(run.out()).contains("BOUNDED  one-shot");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void aFailingDeviceFailsItsCasesAndIsGivenUp() {
    int[] runs = {0};
    SimulatedBackend failing =
        SimulatedBackend.cpu(
            (schedule, r, states) -> {
              runs[0]++;
              throw new BackendException("the device is lost");
            });
    CommandRun run = verify(failing, "--ranks", "2", "--transport", "direct");
    assertThat(run.code()).isEqualTo(1);
    assertThat(runs[0]).isEqualTo(3);
    assertThat(run.out())
        .contains("FAILED  naive", "the device is lost", "3 of 60 NOT EXACT, 57 not run: 60 cases")
        .contains(
            "not run: group given up after 3 failures (last: the device is lost);"
                + " 57 cases of 2 ranks, bf16, cpu, direct\n")
        .containsPattern("ring .* 0 {2}NOT RUN");
    assertThat(run.out().lines().filter(l -> l.startsWith("not run: "))).hasSize(1);
  }

  @Test
  void onlyTransportsThatAreThereRun() {
    SimulatedBackend one = SimulatedBackend.cpu(SimulatedBackend.Fault.NONE, Transport.STAGED_HOST);
    CommandRun run = verify(one, "--ranks", "2", "--count", "9");
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("× staged-host;");
    SimulatedBackend apart =
        SimulatedBackend.cpu(SimulatedBackend.Fault.NONE, Transport.STAGED_HOST, Transport.DIRECT);
    assertThat(verify(apart, "--ranks", "2", "--count", "9").out())
        .as("direct is not what the backend chooses, so it is not promised")
        .contains("× staged-host;");
    CommandRun forced = verify(one, "--ranks", "2", "--count", "9", "--transport", "direct");
    assertThat(forced.code()).isEqualTo(4);
    assertThat(forced.err()).hasLineCount(1);
  }

  @Test
  void fullIsTheContractMatrix() {
    CommandRun run =
        verify(RIGHT, "--full", "--ranks", "1-2", "--algorithms", "naive", "--seed", "1");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains(
            "counts 0, 1, 2, 7, 8, 9, 1000, 32767, 32768, 32769, 65543, 524287, 524288, 524289")
        .contains("vulkan-f16wire × out of place, in place");
  }
}
