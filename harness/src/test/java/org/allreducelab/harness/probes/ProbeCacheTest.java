package org.allreducelab.harness.probes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.Place;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.Rate;
import org.allreducelab.backends.probe.Speed;
import org.allreducelab.backends.probe.WrongByte;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeCacheTest {
  private static final Endpoint A = endpoint("vulkan:0", "1.0", "uuid a");
  private static final Endpoint B = endpoint("vulkan:1", "1.0", "uuid b");
  private static final ProbedMode BAD =
      new ProbedMode(
          Transport.DIRECT,
          "opaque-fd",
          Sync.NATIVE,
          Claim.UNSPECIFIED,
          ProbeVerdict.CORRUPT,
          "",
          "",
          new Attempt(Engine.COPY, new Block(3_563_520, 0), Place.FRESH),
          new WrongByte(2_097_152, 1, 2),
          null,
          "2026-11-30T12:00:00Z");
  private static final ProbedMode GOOD =
      new ProbedMode(
          Transport.STAGED_HOST,
          "host",
          Sync.PROXY,
          Claim.CLAIMED,
          ProbeVerdict.OK,
          "",
          "",
          null,
          null,
          new Speed(new Rate(1, 2), new Rate(1, 2), null, 3),
          "2026-11-30T12:00:00Z");

  @TempDir private Path folder;
  private ProbeCache cache = new ProbeCache(Path.of("unset"));

  private static Endpoint endpoint(String id, String driver, String identity) {
    return new Endpoint(id, "GPU", driver, identity, List.of(), Map.of());
  }

  @BeforeEach
  void keepTwoModes() {
    cache = new ProbeCache(folder.resolve("deep").resolve("doctor"));
    cache.write(ProbedPair.unknown(A, B).with(List.of(BAD, GOOD)));
  }

  @Test
  void whatIsKeptIsReadBack() {
    assertThat(cache.read(A, B).modes()).containsExactly(BAD, GOOD);
    assertThat(cache.of(A, B, "opaque-fd", Sync.NATIVE)).isEqualTo(ProbeVerdict.CORRUPT);
    assertThat(cache.good(A, B, "host", Sync.PROXY)).isTrue();
    assertThat(cache.good(A, B, "opaque-fd", Sync.NATIVE)).isFalse();
    assertThat(cache.of(A, B, "host", Sync.NATIVE)).isNull();
  }

  @Test
  void theIdDoesNotCountDriverAndIdentityAndDirectionDo() {
    assertThat(cache.read(endpoint("vulkan:5", "1.0", "uuid a"), B).modes()).hasSize(2);
    assertThat(cache.read(endpoint("vulkan:0", "1.1", "uuid a"), B).modes()).isEmpty();
    assertThat(cache.read(endpoint("vulkan:0", "1.0", "uuid c"), B).modes()).isEmpty();
    assertThat(cache.read(endpoint("opencl:0", "1.0", "uuid a"), B).modes()).isEmpty();
    assertThat(cache.read(B, A).modes()).isEmpty();
  }

  @Test
  void aDamagedFileIsNoFile() throws IOException {
    try (var files = Files.list(folder.resolve("deep").resolve("doctor"))) {
      Path file = files.findFirst().orElseThrow();
      for (String content :
          List.of("{", "null", "[]", "{\"schemaVersion\": 1}", "{\"modes\": 3}")) {
        Files.writeString(file, content);
        assertThat(cache.read(A, B).modes()).as(content).isEmpty();
      }
      Files.writeString(file, "");
    }
    cache.write(ProbedPair.unknown(A, B).with(List.of(GOOD)));
    assertThat(cache.read(A, B).modes()).containsExactly(GOOD);
  }

  @Test
  void verdictsOfProbesThatTriedLessAreNotKnown() throws IOException {
    try (var files = Files.list(folder.resolve("deep").resolve("doctor"))) {
      Path file = files.findFirst().orElseThrow();
      String now = "\"schemaVersion\" : " + ProbedPair.SCHEMA_VERSION;
      String json = Files.readString(file);
      assertThat(json).contains(now);
      Files.writeString(file, json.replace(now, "\"schemaVersion\" : 1"));
    }
    assertThat(cache.good(A, B, "host", Sync.PROXY)).isFalse();
    assertThat(cache.read(A, B).modes()).isEmpty();
  }

  @Test
  void aFolderThatCannotBeWrittenIsNoCache() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    ProbeCache unwritable = new ProbeCache(file.resolve("doctor"));
    unwritable.write(ProbedPair.unknown(A, B).with(List.of(GOOD)));
    assertThat(unwritable.read(A, B).modes()).isEmpty();
  }

  @Test
  void warningsTellWhatAGroupUses() {
    ProbeWarnings warnings = new ProbeWarnings(cache);
    String line =
        "lab doctor found vulkan:0 → vulkan:1, opaque-fd, native bad on 2026-11-30T12:00:00Z:"
            + " corrupt: copy of 3563520 bytes at offset 0; byte 2097152 is 0x02, not 0x01";
    assertThat(warnings.of(List.of(A, B), null, null)).containsExactly(line);
    assertThat(warnings.of(List.of(A, B, A, B), Transport.DIRECT, Sync.NATIVE))
        .containsExactly(line);
    assertThat(warnings.of(List.of(A, B), Transport.STAGED_HOST, Sync.NATIVE)).isEmpty();
    assertThat(warnings.of(List.of(A, B), Transport.DIRECT, Sync.PROXY)).isEmpty();
    assertThat(warnings.of(List.of(B, B), null, null)).isEmpty();
  }

  @Test
  void ranksOnOneDeviceArePeersOnIt() {
    cache.write(ProbedPair.unknown(A, A).with(List.of(BAD)));
    ProbeWarnings warnings = new ProbeWarnings(cache);
    assertThat(warnings.of(List.of(A), null, null)).isEmpty();
    assertThat(warnings.of(List.of(A, A), null, null)).hasSize(1);
  }
}
