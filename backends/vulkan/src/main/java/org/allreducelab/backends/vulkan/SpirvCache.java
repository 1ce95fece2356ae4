package org.allreducelab.backends.vulkan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Compiled shaders on disk, by the hash of their text. A cache that cannot be read or written is no
 * cache, never an error.
 */
final class SpirvCache {
  private static final int MAGIC = 0x07230203;

  private final Path folder;

  SpirvCache(Path folder) {
    this.folder = folder;
  }

  /** {@code $XDG_CACHE_HOME/allreduce-lab/spirv}, or below {@code ~/.cache}. */
  static SpirvCache ofUser() {
    String base = System.getenv("XDG_CACHE_HOME");
    Path cache =
        base == null || base.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".cache")
            : Path.of(base);
    return new SpirvCache(cache.resolve("allreduce-lab").resolve("spirv"));
  }

  /** The key of a text; the compiler's version is part of it. */
  static String key(String text, String compiler) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(compiler.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The SPIR-V of a key, or null. */
  byte @Nullable [] get(String key) {
    try {
      byte[] spirv = Files.readAllBytes(file(key));
      boolean whole =
          spirv.length >= 20
              && spirv.length % 4 == 0
              && ByteBuffer.wrap(spirv).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt() == MAGIC;
      return whole ? spirv : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Keeps SPIR-V; a reader sees all of it or nothing. */
  void put(String key, byte[] spirv) {
    Path part = null;
    try {
      Files.createDirectories(folder);
      part = Files.createTempFile(folder, key, ".part");
      Files.write(part, spirv);
      Files.move(part, file(key), StandardCopyOption.ATOMIC_MOVE);
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

  private Path file(String key) {
    return folder.resolve(key + ".spv");
  }
}
