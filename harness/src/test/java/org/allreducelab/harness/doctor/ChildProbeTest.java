package org.allreducelab.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.Place;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.WrongByte;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every verdict, from real processes that really misbehave. */
class ChildProbeTest {
  /** Long enough for a JVM to start on a busy machine. */
  private static final Duration DEADLINE = Duration.ofSeconds(6);

  private static final Block SMALL = new Block(4, 0);
  private static final Block FAILING = new Block(FaultyBackend.FAILS_FROM_BYTES, 4);
  private static final Attempt FAILED = new Attempt(Engine.COPY, FAILING, Place.FRESH);
  private static final List<Block> SWEEP = List.of(SMALL, FAILING);
  private static final Pair PAIR =
      new Pair(new FaultyBackend(), FaultyBackend.FIRST, FaultyBackend.SECOND);

  private static ChildJvm jvm() {
    ChildJvm here = ChildJvm.ofThisProcess();
    Path services = Path.of("src", "test", "resources", "faulty-backend").toAbsolutePath();
    return new ChildJvm(here.classPath() + File.pathSeparator + services, here.flags());
  }

  private static ProbeEnd probe(String memory) {
    return new ChildProbe(jvm(), DEADLINE).run(PAIR, FaultyBackend.mode(memory), SWEEP);
  }

  @Test
  void whatWorksIsOkWithItsSpeed() {
    assertThat(probe("good")).isEqualTo(new ProbeEnd(ProbeFinding.ok(FaultyBackend.SPEED), null));
  }

  @Test
  void aWrongByteIsToldWithItsBlock() {
    ProbeEnd end = probe("corrupts");
    assertThat(end.finding().verdict()).isEqualTo(ProbeVerdict.CORRUPT);
    assertThat(end.finding().wrongByte()).isEqualTo(new WrongByte(2_097_152, 0x5b, 0));
    assertThat(end.attempt()).isEqualTo(FAILED);
  }

  @Test
  void staleBytesAreToldWithWhatHadBeenRead() {
    ProbeEnd end = probe("keeps-what-it-read");
    assertThat(end.finding())
        .isEqualTo(
            ProbeFinding.corrupt(
                new WrongByte(0, 0x5b, 0x3c), "stale after the peer overwrote it"));
    assertThat(end.attempt()).isEqualTo(new Attempt(Engine.COPY, SMALL, Place.REUSED));
  }

  @Test
  void aHangIsEndedAtTheDeadline() {
    long startNs = System.nanoTime();
    ProbeEnd end = probe("hangs");
    assertThat(end.finding().verdict()).isEqualTo(ProbeVerdict.TIMED_OUT);
    assertThat(end.finding().detail()).isEqualTo("no end of it within 6s");
    assertThat(end.attempt()).isEqualTo(FAILED);
    assertThat(System.nanoTime() - startNs).isGreaterThan(DEADLINE.toNanos());
    assertThat(ProcessHandle.current().descendants()).noneMatch(this::isProbe);
  }

  private boolean isProbe(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(ProbeMain.class.getName());
  }

  @Test
  void aHangWithoutABlockTellsTheStep() {
    ProbeEnd end = probe("hangs-before-the-first-block");
    assertThat(end.finding().verdict()).isEqualTo(ProbeVerdict.TIMED_OUT);
    assertThat(end.finding().detail())
        .isEqualTo("while it was to open the devices: no end of it within 6s");
    assertThat(end.attempt()).isNull();
  }

  @Test
  void outputOfOthersIsNoSignOfLife() {
    assertThat(probe("babbles-and-hangs").finding().verdict()).isEqualTo(ProbeVerdict.TIMED_OUT);
  }

  @Test
  void aSegmentationFaultIsToldByItsName() {
    ProbeEnd end = probe("crashes");
    assertThat(end.finding().verdict()).isEqualTo(ProbeVerdict.CRASHED);
    assertThat(end.finding().code()).isEqualTo("SIGSEGV");
    assertThat(end.attempt()).isEqualTo(FAILED);
  }

  @Test
  void aKillIsToldByItsName() {
    ProbeEnd end = probe("is-killed");
    assertThat(end.finding().verdict()).isEqualTo(ProbeVerdict.CRASHED);
    assertThat(end.finding().code()).isEqualTo("SIGKILL");
    assertThat(end.attempt()).isEqualTo(FAILED);
  }

  @Test
  void aRefusalKeepsTheDriversOwnName() {
    ProbeEnd end = probe("refuses");
    assertThat(end.finding().verdict()).isEqualTo(ProbeVerdict.REFUSED);
    assertThat(end.finding().code()).isEqualTo("VK_ERROR_OUT_OF_DEVICE_MEMORY");
    assertThat(end.finding().detail())
        .isEqualTo("while it was to open the devices: vkAllocateMemory on faulty:1");
  }

  @Test
  void anExceptionIsAnEndToo() {
    ProbeEnd end = probe("throws");
    assertThat(end.finding())
        .isEqualTo(
            ProbeFinding.failed(ProbeVerdict.CRASHED, "IllegalStateException", "no such thing"));
    assertThat(end.attempt()).isEqualTo(FAILED);
  }

  @Test
  void aSilentEndIsTold() {
    assertThat(probe("says-nothing").finding().code()).isEqualTo("exit status 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"crashes-at-exit", "hangs-at-exit"})
  void whatDoesNotSurviveItsEndIsNotOk(String memory) {
    ProbeEnd end = probe(memory);
    assertThat(end.finding().verdict())
        .isEqualTo(memory.startsWith("crashes") ? ProbeVerdict.CRASHED : ProbeVerdict.TIMED_OUT);
    assertThat(end.finding().detail()).startsWith("while it was to shut the driver down");
    assertThat(end.attempt()).isNull();
  }

  @Test
  void aChildEndsWithItsParent() throws Exception {
    Process child =
        new ProcessBuilder(
                jvm()
                    .command(
                        ProbeMain.class,
                        ProbeMain.arguments(PAIR, FaultyBackend.mode("hangs"), SWEEP)))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      String line = out.readLine();
      while (!Objects.equals(line, ChildLines.attempt(FAILED))) {
        assertThat(line).isNotNull();
        line = out.readLine();
      }
      child.getOutputStream().close();
      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      child.destroyForcibly();
    }
  }
}
