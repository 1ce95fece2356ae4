package org.allreducelab.backends.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Supplier;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.CacheFolder;
import org.jspecify.annotations.Nullable;

/**
 * What waits were found to cost, for this process and on disk: a file per key. A key names all that
 * the costs depend on, such as devices and driver versions.
 */
public final class KnownWaitCosts {
  private final CacheFolder folder;

  /** Costs, or why they could not be measured: that is not tried again. */
  private final Map<String, Object> known = new HashMap<>();

  public KnownWaitCosts(CacheFolder folder) {
    this.folder = folder;
  }

  /** Those of the user, for all backends. */
  public static KnownWaitCosts ofUser() {
    return new KnownWaitCosts(CacheFolder.ofUser("waits"));
  }

  /**
   * The costs of a key.
   *
   * @param measure called where they are not known
   * @throws BackendException if measuring failed, now or before
   */
  public synchronized WaitCosts find(String key, Supplier<WaitCosts> measure) {
    Object found = known.computeIfAbsent(key, k -> read(k, measure));
    if (found instanceof WaitCosts costs) {
      return costs;
    }
    throw new BackendException(String.valueOf(found));
  }

  private Object read(String key, Supplier<WaitCosts> measure) {
    WaitCosts kept = kept(key);
    if (kept != null) {
      return kept;
    }
    try {
      WaitCosts costs = measure.get();
      folder.write(file(key), costs.text());
      return costs;
    } catch (BackendException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** What is on disk, without measuring anything; null for nothing. */
  public @Nullable WaitCosts kept(String key) {
    return WaitCosts.parse(folder.read(file(key)));
  }

  private static String file(String key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(key.getBytes(UTF_8)), 0, 12) + ".txt";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
