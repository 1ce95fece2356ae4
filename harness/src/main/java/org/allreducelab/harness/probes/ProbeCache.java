package org.allreducelab.harness.probes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.ProbeVerdicts;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts on disk, a JSON file per directed pair of devices and version of their drivers: another
 * driver is another file.
 *
 * <p>A cache that cannot be read or written is no cache, never an error; so is a damaged file.
 */
public final class ProbeCache implements ProbeVerdicts {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private final Path folder;

  public ProbeCache(Path folder) {
    this.folder = folder;
  }

  /** {@code $XDG_CACHE_HOME/allreduce-lab/doctor}, or below {@code ~/.cache}. */
  public static ProbeCache ofUser() {
    String base = System.getenv("XDG_CACHE_HOME");
    Path cache =
        base == null || base.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".cache")
            : Path.of(base);
    return new ProbeCache(cache.resolve("allreduce-lab").resolve("doctor"));
  }

  /** What is known of a pair, perhaps nothing. */
  public ProbedPair read(Endpoint from, Endpoint to) {
    ProbedPair unknown = ProbedPair.unknown(from, to);
    try {
      ProbedPair known = JSON.readValue(Files.readAllBytes(file(unknown)), ProbedPair.class);
      boolean same =
          known.schemaVersion() == ProbedPair.SCHEMA_VERSION
              && known.from().equals(unknown.from())
              && known.to().equals(unknown.to());
      return same ? known : unknown;
    } catch (IOException | RuntimeException e) {
      return unknown;
    }
  }

  /** Keeps what is known of a pair; a reader sees all of it or what was there before. */
  public void write(ProbedPair pair) {
    Path part = null;
    try {
      Files.createDirectories(folder);
      part = Files.createTempFile(folder, "pair", ".part");
      Files.write(part, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(pair));
      Files.move(part, file(pair), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      drop(part);
    }
  }

  private static void drop(@Nullable Path part) {
    if (part != null) {
      try {
        Files.deleteIfExists(part);
      } catch (IOException e) {
        // A left-over temporary file harms nobody.
      }
    }
  }

  /** What is known of one mode. */
  public Optional<ProbedMode> mode(Endpoint from, Endpoint to, String memory, Sync sync) {
    return read(from, to).modes().stream()
        .filter(mode -> mode.memory().equals(memory) && mode.sync() == sync)
        .findFirst();
  }

  @Override
  public @Nullable ProbeVerdict of(Endpoint from, Endpoint to, String memory, Sync sync) {
    return mode(from, to, memory, sync).map(ProbedMode::verdict).orElse(null);
  }

  private Path file(ProbedPair pair) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (ProbedPair.Side side : new ProbedPair.Side[] {pair.from(), pair.to()}) {
        digest.update(side.toString().getBytes(UTF_8));
      }
      return folder.resolve(HexFormat.of().formatHex(digest.digest(), 0, 12) + ".json");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
