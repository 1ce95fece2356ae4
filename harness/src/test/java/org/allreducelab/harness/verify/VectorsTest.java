package org.allreducelab.harness.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.harness.CommandRun;
import org.allreducelab.harness.SimulatedBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VectorsTest {
  private static final String HEADER = "case_id,n,inputs_hex,algorithm,precision,expected_hex\n";

  /** 256 + 1 + 1: bf16 drops a 1 that is added to 256, not the 2 of 1 + 1. */
  private static final String RING = "R,3,4380;3F80;3F80,ring,bf16,4380;4381;4380\n";

  private static final String CHAIN = "C,3,4380;3F80;3F80,naive,bf16,4380\n";

  @TempDir private Path folder;

  private CommandRun check(String text, String... more) throws IOException {
    return check(SimulatedBackend.cpu(SimulatedBackend.Fault.NONE), text, more);
  }

  private CommandRun check(SimulatedBackend device, String text, String... more)
      throws IOException {
    Path file = Files.writeString(folder.resolve("vectors.csv"), text);
    List<String> args = new ArrayList<>(List.of("verify", "--vectors", file.toString()));
    args.addAll(List.of(more));
    return CommandRun.labOn(List.of(device), args.toArray(String[]::new));
  }

  @Test
  void chunksHoldTheirExpectedValues() throws IOException {
    CommandRun run = check(HEADER + RING + "\n" + CHAIN);
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("all EXACT: 2 rows, 4 runs");
  }

  @Test
  void anAlgorithmWithParametersIsQuoted() throws IOException {
    String row = "Q,3,4380;3F80;3F80,\"recursive-doubling:distance=asc,fold=adjacent\",bf16,4380\n";
    CommandRun run = check(HEADER + row, "--format", "csv");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            case_id,algorithm,n,precision,devices,transport,in_place,simulator,device
            Q,"recursive-doubling:distance=asc,fold=adjacent",3,bf16,cpu,direct,false,EXACT,EXACT
            Q,"recursive-doubling:distance=asc,fold=adjacent",3,bf16,cpu,staged-host,false,EXACT,EXACT
            """);
  }

  @Test
  void aWrongExpectationNamesChunkRankAndElement() throws IOException {
    CommandRun run =
        check(HEADER + RING.replace("4381;4380", "4381;4381"), "--transport", "direct");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("WRONG  R (", "vectors.csv:2)", "ring, 3 ranks, bf16, cpu, direct, out of place")
        .contains("chunk 2, rank 0, element 16: expected 4381, simulator 4380, device 4380")
        .contains("1 of 1 WRONG");
  }

  @Test
  void aWrongDeviceIsToldFromTheSimulator() throws IOException {
    SimulatedBackend wrong =
        SimulatedBackend.cpu(
            (schedule, round, states) -> ElementType.BF16.put(states[1], 20, 0x3f80));
    CommandRun run = check(wrong, HEADER + CHAIN, "--transport", "direct");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("chunk 2, rank 1, element 20: expected 4380, simulator 4380, device 3F80");
  }

  @Test
  void optionsFilterRows() throws IOException {
    String rows = HEADER + RING + CHAIN;
    assertThat(check(rows, "--algorithms", "ring").out()).contains("1 row, 2 runs");
    assertThat(check(rows, "--precision", "bf16", "--ranks", "3").out()).contains("2 rows");
    assertThat(check(rows, "--devices", "cpux3").code()).isZero();
    for (String[] filter :
        new String[][] {
          {"--ranks", "4"},
          {"--precision", "f32"},
          {"--algorithms", "swing"},
          {"--devices", "cpux2"}
        }) {
      CommandRun run = check(rows, filter);
      assertThat(run.code()).as(filter[0]).isEqualTo(2);
      assertThat(run.err()).contains("no row").hasLineCount(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "X,2,4380;3F80,ring,bf16|5 fields",
        "X,0,4380,ring,bf16,4380|ranks must be 1 to 1024",
        "X,2-3,4380;3F80,ring,bf16,4380|expected one n",
        "X,2,4380,ring,bf16,4380|1 inputs for n = 2",
        "X,2,438;3F80,ring,bf16,4380|'438' is no bf16 value",
        "X,2,438G;3F80,ring,bf16,4380|'438G' is no bf16 value",
        "X,3,4380;3F80;3F80,ring,bf16,4380;4380|2 expected values for n = 3",
        "X,2,4380;3F80,rign,bf16,4380|unknown algorithm 'rign'",
        "X,2,4380;3F80,ring,bf17,4380|unknown precision 'bf17'",
        "X,2,4380;3F80,ring,f32,4380|is no f32 value; expected 8",
        "X,3,43800000;43800000;43800000,ring,sycl-truncating,43800000|at most 2 ranks",
        "X,2,4380;3F80,\"ring,bf16,4380|a quote does not close",
      })
  void aMalformedRowIsNamedByFileAndLine(String row, String message) throws IOException {
    CommandRun run = check(HEADER + RING + row + "\n");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("vectors.csv:3: ", message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aFileMustBeThereAndHaveTheHeaderAndRows() throws IOException {
    assertThat(check("").err()).contains("vectors.csv:1: expected the header");
    assertThat(check(RING).code()).isEqualTo(2);
    assertThat(check(HEADER).err()).contains("it has none");
    CommandRun none = CommandRun.lab("verify", "--vectors", folder.resolve("none.csv").toString());
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("no such file").hasLineCount(1);
    CommandRun directory = CommandRun.lab("verify", "--vectors", folder.toString());
    assertThat(directory.code()).isEqualTo(2);
    assertThat(directory.err()).contains("cannot read").hasLineCount(1);
  }

  @Test
  void theRowGivesTheSize() throws IOException {
    assertThat(check(HEADER + RING, "--count", "9").code()).isEqualTo(2);
  }
}
