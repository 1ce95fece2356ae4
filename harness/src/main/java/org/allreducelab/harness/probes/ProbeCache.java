package org.allreducelab.harness.probes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.allreducelab.backends.CacheFolder;
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

  private final CacheFolder folder;

  public ProbeCache(Path folder) {
    this(new CacheFolder(folder));
  }

  private ProbeCache(CacheFolder folder) {
    this.folder = folder;
  }

  /** The user's own. */
  public static ProbeCache ofUser() {
    return new ProbeCache(CacheFolder.ofUser("doctor"));
  }

  /** What is known of a pair, perhaps nothing. */
  public ProbedPair read(Endpoint from, Endpoint to) {
    ProbedPair unknown = ProbedPair.unknown(from, to);
    byte[] json = folder.read(file(unknown));
    if (json == null) {
      return unknown;
    }
    try {
      ProbedPair known = JSON.readValue(json, ProbedPair.class);
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
    try {
      folder.write(file(pair), JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(pair));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a probed pair is plain data", e);
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

  private static String file(ProbedPair pair) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (ProbedPair.Side side : new ProbedPair.Side[] {pair.from(), pair.to()}) {
        digest.update(side.toString().getBytes(UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 12) + ".json";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
