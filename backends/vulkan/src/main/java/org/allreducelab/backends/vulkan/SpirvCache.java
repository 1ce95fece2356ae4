package org.allreducelab.backends.vulkan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.allreducelab.backends.CacheFolder;
import org.jspecify.annotations.Nullable;

/** Compiled shaders on disk, by the hash of their text. */
final class SpirvCache {
  private static final int MAGIC = 0x07230203;

  private final CacheFolder folder;

  SpirvCache(CacheFolder folder) {
    this.folder = folder;
  }

  static SpirvCache ofUser() {
    return new SpirvCache(CacheFolder.ofUser("spirv"));
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
    byte[] spirv = folder.read(file(key));
    boolean whole =
        spirv != null
            && spirv.length >= 20
            && spirv.length % 4 == 0
            && ByteBuffer.wrap(spirv).order(ByteOrder.LITTLE_ENDIAN).getInt() == MAGIC;
    return whole ? spirv : null;
  }

  void put(String key, byte[] spirv) {
    folder.write(file(key), spirv);
  }

  private static String file(String key) {
    return key + ".spv";
  }
}
