package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.backends.cpu.CpuBackend;
import org.allreducelab.harness.cli.FakeBackend;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong input gets its exit code and one line that says what was wrong and what would be right. */
class BadInputTest {
  private static CommandRun run(String line) {
    return CommandRun.labOn(
        List.of(
            FakeBackend.with("cpu", "cpu=Some Processor"),
            FakeBackend.absent("vulkan", "no Vulkan loader")),
        line.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "verify --ranks 0|ranks must be 1 to 1024, not 0",
        "verify --ranks -1|ranks must be 1 to 1024, not -1",
        "verify --ranks two|malformed ranks 'two'",
        "verify --count -1|count must be 0 to 2147483639",
        "verify --count 1KiB|malformed count '1KiB'",
        "verify --bytes 20KB|expected 20KiB",
        "verify --bytes 3|expected a multiple of 2",
        "verify --bytes 8 --count 4|leave one of them out",
        "verify --algorithms rign|known: naive, ring",
        "verify --algorithms ring:x=1|ring",
        "verify --algorithms recursive-doubling:fold=low|high",
        "verify --precision bf17|known: bf16, bf16-f32acc",
        "verify --precision sycl-truncating --ranks 4|no case is left to run",
        "verify --devices ,|malformed devices ','",
        "verify --devices vulkan:|malformed devices",
        "verify --devices gpux|unknown device 'gpux'",
        "verify --devices cpux4 --ranks 2|fixes 4 ranks",
        "verify --placement nowhere|known: physical, logical, queues, single-queue",
        "verify --transport pigeon|known: direct, staged-host",
        "verify --sync never|known: native, proxy",
        "verify --barrier none|known: pairwise, relay",
        "verify --memory device-local|known: opaque-fd, dma-buf",
        "verify --in-place maybe|known: false, true, both",
        "verify --granule 0|at least 1",
        "verify --queue-family -1|at least 0",
        "verify --queues 0|at least 1",
        "verify --deadline 10|expected a positive number with ns, us, ms, s or min",
        "verify --deadline 999999999min|too long; at most 153722867min",
        "bench --deadline 999999999min|too long; at most 153722867min",
        "verify --deadline 0s|expected a positive number",
        "verify --seed abc|expected a whole number from -2^63 to 2^63-1, such as 42, not 'abc'",
        "verify --policy shrink-wrap|known: grow-only",
        "verify --format xml|known: text, markdown, csv, json",
        "verify --rank 2|did you mean --ranks",
        "verify stray|Unmatched argument",
        "verify --ranks|--ranks",
        "verify --ranks 2 --ranks 3|should be specified only once",
      })
  void isAUsageError(String line, String message) {
    CommandRun run = run(line);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("lab " + line.split(" ", 2)[0] + ": ")
        .contains(message)
        .hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "verify --devices vulkan:0|no device vulkan:0; here: cpu; no vulkan: no Vulkan loader",
        "verify --devices cpu --devices opencl:1|no opencl backend in this build",
        "verify --devices opencl|no opencl backend in this build",
        "verify --memory dma-buf|cpu has no choice of --memory; leave it out",
        "bench --memory opaque-fd|cpu has no choice of --memory; leave it out",
        "verify --queue-family 1|cpu has no choice of --queue-family",
        "verify --queues 2|cpu has no choice of --queues",
      })
  void isAbsent(String line, String message) {
    CommandRun run = run(line);
    assertThat(run.code()).isEqualTo(4);
    assertThat(run.err())
        .startsWith("lab " + line.split(" ", 2)[0] + ": ")
        .contains(message)
        .hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  /** What else is here would be told beside what runs, not beside an error. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "verify --placement physical|4|placement physical is not there on the cpu",
        "verify --sync proxy|4|sync proxy is not there on the cpu",
        "verify --policy all|2|one --policy at a time here",
        "verify --precision sycl-truncating --ranks 4|2|no case is left to run",
        "bench --placement physical|4|placement physical is not there on the cpu",
        "bench --out src|2|src is not empty; choose a new folder",
        "bench --placement physical --dry-run|4|placement physical is not there on the cpu",
        "decode --memory dma-buf|4|cpu has no choice of --memory",
        "decode --placement logical|4|placement logical is not there on the cpu",
        "decode --out src|2|src is not empty; choose a new folder",
      })
  void isOneLineWhereOtherDevicesAreToo(String line, int code, String message) {
    CommandRun run =
        CommandRun.labOn(
            List.of(new CpuBackend(), FakeBackend.with("fake", "fake:0=Fake")), line.split(" "));
    assertThat(run.code()).isEqualTo(code);
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify --ranks 2 --algorithms ring --count 1",
        "bench --dry-run",
        "decode --dry-run"
      })
  void whatElseIsHereIsToldOnceItRuns(String line) {
    CommandRun run =
        CommandRun.labOn(
            List.of(new CpuBackend(), FakeBackend.with("fake", "fake:0=Fake")), line.split(" "));
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).startsWith("on cpu; also here: fake:0 (--devices)");
  }

  @ParameterizedTest
  @CsvSource({"verify --ranks 0 --verbose", "verify --devices vulkan:0 --verbose"})
  void verboseAddsTheStackTrace(String line) {
    assertThat(run(line).err()).contains("\tat org.allreducelab.");
  }
}
