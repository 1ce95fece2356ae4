package org.allreducelab.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.PairProbe;
import org.allreducelab.backends.probe.Place;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.Rate;
import org.allreducelab.backends.probe.Speed;
import org.allreducelab.backends.probe.WrongByte;
import org.allreducelab.harness.CommandRun;
import org.allreducelab.harness.cli.FakeBackend;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.LabContext;
import org.allreducelab.harness.cli.OneLineErrors;
import org.allreducelab.harness.probes.ProbeCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command on a backend that claims what each test sets, and probes that end as it says. */
class DoctorCommandTest {
  private static final ProbeEnd OK =
      new ProbeEnd(
          ProbeFinding.ok(
              new Speed(new Rate(10, 2.5), new Rate(7.5, 8.25), new Rate(4.5, 6.75), 37.4)),
          null);
  private static final ProbeEnd CORRUPT =
      new ProbeEnd(
          ProbeFinding.corrupt(new WrongByte(2_097_148, 0x5b, 0), ""),
          new Attempt(Engine.KERNEL, new Block(3_563_520, 4), Place.FRESH));
  private static final ProbeEnd STALE =
      new ProbeEnd(
          ProbeFinding.corrupt(new WrongByte(0, 0x5b, 0x3c), "stale after the peer overwrote it"),
          new Attempt(Engine.KERNEL, new Block(16, 0), Place.REUSED));
  private static final ProbeEnd REFUSED =
      new ProbeEnd(
          ProbeFinding.failed(
              ProbeVerdict.REFUSED, "VK_ERROR_OUT_OF_DEVICE_MEMORY", "vkAllocateMemory"),
          null);

  @TempDir private Path cache;
  private final List<ProbeMode> modes = new ArrayList<>();
  private final Map<ProbeMode, ProbeEnd> ends = new HashMap<>();
  private final List<String> tried = new ArrayList<>();
  private List<Endpoint> endpoints = List.of(FaultyBackend.FIRST);

  private final class Claiming implements Backend, PairProbe {
    @Override
    public String name() {
      return "faulty";
    }

    @Override
    public List<Endpoint> endpoints() {
      return endpoints;
    }

    @Override
    public String absence() {
      return "";
    }

    @Override
    public Group open(GroupSpec spec) {
      throw new UnsupportedOperationException("only probes");
    }

    @Override
    public Optional<PairProbe> pairProbe() {
      return Optional.of(this);
    }

    @Override
    public List<ProbeMode> modes(String from, String to) {
      return modes;
    }

    @Override
    public ProbeFinding run(
        String from, String to, ProbeMode mode, List<Block> sweep, ProbeProgress progress) {
      throw new AssertionError("never in the process of the command");
    }
  }

  private void claim(String memory, Sync sync, Claim claim, ProbeEnd end) {
    ProbeMode mode =
        new ProbeMode(
            memory.equals("host") ? Transport.STAGED_HOST : Transport.DIRECT,
            memory,
            sync,
            claim,
            claim == Claim.MISSING ? "no " + sync.label() + " timelines" : "queried");
    modes.add(mode);
    ends.put(mode, end);
  }

  private CommandRun doctor(String... args) {
    return doctorOn(List.of(FakeBackend.with("cpu", "cpu=Some Processor"), new Claiming()), args);
  }

  private CommandRun doctorOn(List<Backend> backends, String... args) {
    LabContext context = new LabContext(() -> Inventory.of(backends), false, new ProbeCache(cache));
    ProbeRunner runner =
        (pair, mode, sweep) -> {
          tried.add(pair.label() + " " + mode.memory() + " " + mode.sync().label());
          return Optional.ofNullable(ends.get(mode)).orElseThrow();
        };
    OneLineErrors errors = new OneLineErrors();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new DoctorCommand(context, deadline -> runner))
            .setParameterExceptionHandler(errors)
            .setExecutionExceptionHandler(errors)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new CommandRun(code, out.toString(), err.toString());
  }

  /** The time that a run took and the time of day are replaced. */
  private static String withoutTimes(String text) {
    return text.replaceAll("\\(\\d+\\.\\d s\\)", "(TOOK)")
        .replaceAll("\\d{4}-\\d{2}-\\d{2}T[0-9:]+Z", "THEN");
  }

  @Test
  void theMatrixTellsWhatWorksAndTheNotesWhatDoesNot() {
    claim("opaque-fd", Sync.NATIVE, Claim.MISSING, OK);
    claim("opaque-fd", Sync.PROXY, Claim.CLAIMED, CORRUPT);
    claim("host", Sync.NATIVE, Claim.MISSING, OK);
    claim("host", Sync.PROXY, Claim.CLAIMED, OK);
    CommandRun run = doctor();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("cpu: nothing to try, its ranks share this process' memory\n");
    assertThat(withoutTimes(run.out()))
        .isEqualTo(
            """
            from      to        memory     transport    sync native  sync proxy
            faulty:0  faulty:0  opaque-fd  direct       not claimed  CORRUPT
            faulty:0  faulty:0  host       staged-host  not claimed  ok 10.0/8.3/6.8 GB/s  37.4 µs

            faulty:0 → faulty:0, opaque-fd, proxy: corrupt: kernel of 3563520 bytes at offset 4; byte 2097148 is 0x00, not 0x5b
            faulty:0 → faulty:0, opaque-fd, native and 1 more: not claimed: no native timelines
            GB/s: read alone/while both sides read/each way, while both sides write and read at once

            1 of 2 claimed modes DO NOT WORK (TOOK)
            """);
    assertThat(tried)
        .containsExactly("faulty:0 → faulty:0 opaque-fd proxy", "faulty:0 → faulty:0 host proxy");
  }

  @Test
  void markdownAndProgramsFormats() {
    claim("opaque-fd", Sync.PROXY, Claim.CLAIMED, CORRUPT);
    claim("dma-buf", Sync.NATIVE, Claim.MISSING, OK);
    claim("host", Sync.PROXY, Claim.CLAIMED, OK);
    assertThat(withoutTimes(doctor("--format", "csv").out()))
        .isEqualTo(
            """
            from,to,transport,memory,sync,claim,verdict,code,engine,bytes,offset,place,wrong_byte,expected,actual,copy_gb_per_s,kernel_gb_per_s,both_read_copy_gb_per_s,both_read_kernel_gb_per_s,both_ways_copy_gb_per_s,both_ways_kernel_gb_per_s,hop_us,probed_at,cached,detail
            faulty:0,faulty:0,direct,opaque-fd,proxy,claimed,corrupt,,kernel,3563520,4,fresh,2097148,91,0,,,,,,,,THEN,false,
            faulty:0,faulty:0,direct,dma-buf,native,not claimed,not claimed,,,,,,,,,,,,,,,,,false,no native timelines
            faulty:0,faulty:0,staged-host,host,proxy,claimed,ok,,,,,,,,,10.0,2.5,7.5,8.25,4.5,6.75,37.4,THEN,false,
            """);
    assertThat(doctor("--format", "json").out())
        .contains("\"verdict\" : \"corrupt\"", "\"bytes\" : 3563520", "\"cached\" : true");
    assertThat(doctor("--format", "markdown").out())
        .startsWith("| from ")
        .contains("\n- faulty:0 → faulty:0, opaque-fd, proxy: corrupt: ");
  }

  @Test
  void everyDirectedPairIsTriedOnce() {
    endpoints = List.of(FaultyBackend.FIRST, FaultyBackend.SECOND);
    claim("host", Sync.PROXY, Claim.CLAIMED, OK);
    assertThat(doctor("--devices", "faulty:0,faulty:1", "--devices", "faulty:1").code()).isZero();
    assertThat(tried)
        .containsExactly(
            "faulty:0 → faulty:0 host proxy",
            "faulty:0 → faulty:1 host proxy",
            "faulty:1 → faulty:0 host proxy",
            "faulty:1 → faulty:1 host proxy");
  }

  @Test
  void staleBytesAreAFaultInWords() {
    claim("host", Sync.PROXY, Claim.CLAIMED, STALE);
    CommandRun run = doctor();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains(
            "host, proxy: corrupt: kernel of 16 bytes at offset 0, overwritten after it was read;"
                + " byte 0 is 0x3c, not 0x5b; stale after the peer overwrote it\n");
    assertThat(doctor("--format", "csv").out()).contains(",16,0,reused,0,91,60,");
  }

  @Test
  void withoutAWayBackThereIsOneRate() {
    claim(
        "host",
        Sync.PROXY,
        Claim.CLAIMED,
        new ProbeEnd(ProbeFinding.ok(new Speed(new Rate(10, 2.5), null, null, 37.4)), null));
    assertThat(doctor().out()).contains("ok 10.0 GB/s  37.4 µs\n").doesNotContain("read alone");
  }

  @Test
  void whereNothingIsStagedTwoRatesAreEnough() {
    claim(
        "opaque-fd",
        Sync.PROXY,
        Claim.CLAIMED,
        new ProbeEnd(
            ProbeFinding.ok(new Speed(new Rate(10, 2.5), new Rate(8, 7), null, 37.4)), null));
    assertThat(doctor().out())
        .contains("ok 10.0/8.0 GB/s  37.4 µs\n", "\nGB/s: read alone/while both sides read\n");
  }

  @Test
  void theMatrixOfTwoGpusFitsATerminal() {
    endpoints =
        List.of(
            FaultyBackend.endpoint("vulkan:0", "driver"),
            FaultyBackend.endpoint("vulkan:1", "driver"));
    ProbeEnd fast =
        new ProbeEnd(
            ProbeFinding.ok(
                new Speed(new Rate(99.9, 1), new Rate(99.9, 1), new Rate(99.9, 1), 99.9)),
            null);
    claim("opaque-fd", Sync.NATIVE, Claim.UNSPECIFIED, fast);
    claim("opaque-fd", Sync.PROXY, Claim.UNSPECIFIED, fast);
    assertThat(doctor().out().lines().filter(line -> line.startsWith("vulkan:0 ")))
        .isNotEmpty()
        .filteredOn(line -> line.contains("99.9/99.9/99.9"))
        .allMatch(line -> line.length() <= 110, "at most 110 columns");
  }

  @Test
  void oneDeviceIsAPairWithItself() {
    endpoints = List.of(FaultyBackend.FIRST, FaultyBackend.SECOND);
    claim("host", Sync.PROXY, Claim.CLAIMED, OK);
    assertThat(doctor("--devices", "faulty:1").code()).isZero();
    assertThat(tried).containsExactly("faulty:1 → faulty:1 host proxy");
  }

  @Test
  void whatNobodyPromisedIsNoFault() {
    claim("opaque-fd", Sync.NATIVE, Claim.UNSPECIFIED, REFUSED);
    claim("host", Sync.PROXY, Claim.CLAIMED, OK);
    CommandRun run = doctor();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("refused (VK_ERROR_OUT_OF_DEVICE_MEMORY) *", "all 1 claimed modes work")
        .contains("native: refused (VK_ERROR_OUT_OF_DEVICE_MEMORY): vkAllocateMemory")
        .contains("* outside the Vulkan specification");
  }

  @Test
  void whatIsKnownIsNotTriedAgainUnlessAskedOrForAnotherDriver() {
    claim("opaque-fd", Sync.PROXY, Claim.CLAIMED, CORRUPT);
    claim("host", Sync.PROXY, Claim.CLAIMED, OK);
    assertThat(doctor().code()).isEqualTo(1);
    assertThat(tried).hasSize(2);
    CommandRun cached = doctor();
    assertThat(cached.code()).isEqualTo(1);
    assertThat(tried).hasSize(2);
    assertThat(withoutTimes(cached.out()))
        .contains("2 known from THEN on, --fresh tries them again");
    ends.replaceAll((mode, end) -> OK);
    assertThat(doctor("--fresh").code()).isZero();
    assertThat(tried).hasSize(4);
    assertThat(doctor().code()).isZero();
    assertThat(tried).hasSize(4);
    endpoints = List.of(FaultyBackend.endpoint("faulty:0", "driver 2"));
    assertThat(doctor().code()).isZero();
    assertThat(tried).hasSize(6);
  }

  @Test
  void aMissedDeadlineIsTriedAgainAndUntilThenKnownToOthers() {
    ProbeEnd late =
        new ProbeEnd(ProbeFinding.failed(ProbeVerdict.TIMED_OUT, "", "no end of it"), null);
    claim("host", Sync.PROXY, Claim.CLAIMED, late);
    assertThat(doctor().code()).isEqualTo(1);
    assertThat(
            new ProbeCache(cache).of(FaultyBackend.FIRST, FaultyBackend.FIRST, "host", Sync.PROXY))
        .isEqualTo(ProbeVerdict.TIMED_OUT);
    ends.replaceAll((mode, end) -> OK);
    assertThat(doctor().code()).isZero();
    assertThat(tried).hasSize(2);
    assertThat(doctor().code()).isZero();
    assertThat(tried).hasSize(2);
  }

  @Test
  void aModeThatIsNewIsTriedBesideThoseThatAreKnown() {
    claim("host", Sync.PROXY, Claim.CLAIMED, OK);
    doctor();
    claim("host", Sync.NATIVE, Claim.CLAIMED, OK);
    assertThat(doctor().code()).isZero();
    assertThat(tried)
        .containsExactly("faulty:0 → faulty:0 host proxy", "faulty:0 → faulty:0 host native");
    assertThat(doctor().out()).contains("2 known from");
  }

  @Test
  void theCpuHasNothingToTry() {
    CommandRun run = doctor("--devices", "cpu");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("cpu: nothing to try").hasLineCount(1);
  }

  @Test
  void wrongInputIsTold() {
    CommandRun absent = doctor("--devices", "vulkan:7");
    assertThat(absent.code()).isEqualTo(4);
    assertThat(absent.err())
        .contains("no vulkan backend in this build; here: cpu, faulty:0")
        .hasLineCount(1);
    CommandRun malformed = doctor("--deadline", "soon");
    assertThat(malformed.code()).isEqualTo(2);
    assertThat(malformed.err()).contains("malformed time 'soon'").hasLineCount(1);
    CommandRun none = doctorOn(List.of(FakeBackend.absent("vulkan", "no loader")));
    assertThat(none.code()).isEqualTo(4);
    assertThat(none.err()).contains("no device at all").hasLineCount(1);
  }
}
