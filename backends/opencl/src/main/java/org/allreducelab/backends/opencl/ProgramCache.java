package org.allreducelab.backends.opencl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.allreducelab.backends.CacheFolder;
import org.jspecify.annotations.Nullable;

/**
 * Compiled programs on disk, by the hash of their text, the build options, the device and its
 * driver: another driver's binary is another file. What is broken or foreign all the same is
 * refused by the driver, and compiled again.
 */
final class ProgramCache {
  private final CacheFolder folder;

  ProgramCache(CacheFolder folder) {
    this.folder = folder;
  }

  static ProgramCache ofUser() {
    return new ProgramCache(CacheFolder.ofUser("opencl"));
  }

  byte @Nullable [] get(String text, DeviceFacts device) {
    return folder.read(file(text, device));
  }

  void put(String text, DeviceFacts device, byte[] binary) {
    folder.write(file(text, device), binary);
  }

  private static String file(String text, DeviceFacts device) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part :
          new String[] {
            text,
            FoldPrograms.OPTIONS,
            device.platform(),
            device.version(),
            device.driver(),
            device.hardware()
          }) {
        digest.update(part.getBytes(UTF_8));
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(digest.digest()) + ".bin";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
