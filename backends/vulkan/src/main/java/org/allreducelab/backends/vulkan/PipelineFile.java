package org.allreducelab.backends.vulkan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline cache on disk: a SHA-256 of the driver's bytes, then those bytes. They start with
 * Vulkan's own header (VkPipelineCacheHeaderVersionOne), which must name this device.
 *
 * @param vendorId of the device
 * @param deviceId of the device
 * @param driverVersion as the driver packs it; not part of Vulkan's header
 * @param uuid pipelineCacheUUID, 32 hex digits
 */
record PipelineFile(int vendorId, int deviceId, int driverVersion, String uuid) {
  /** Above this a cache is neither read nor written: some ten times what all kernels need. */
  static final int MOST_BYTES = 32 << 20;

  private static final int HASH_BYTES = 32;
  private static final int HEADER_BYTES = 32;
  private static final int HEADER_VERSION_ONE = 1;

  /** Another driver is another file. */
  String name() {
    return String.format(
        java.util.Locale.ROOT, "%08x-%08x-%08x-%s.bin", vendorId, deviceId, driverVersion, uuid);
  }

  byte[] wrap(byte[] data) {
    byte[] file = Arrays.copyOf(hash(data, 0, data.length), HASH_BYTES + data.length);
    System.arraycopy(data, 0, file, HASH_BYTES, data.length);
    return file;
  }

  /** The driver's bytes, or null where they are damaged or of another device. */
  byte @Nullable [] unwrap(byte @Nullable [] file) {
    if (file == null
        || file.length < HASH_BYTES + HEADER_BYTES
        || file.length > HASH_BYTES + MOST_BYTES) {
      return null;
    }
    byte[] hash = hash(file, HASH_BYTES, file.length - HASH_BYTES);
    if (!Arrays.equals(hash, 0, HASH_BYTES, file, 0, HASH_BYTES)) {
      return null;
    }
    byte[] data = Arrays.copyOfRange(file, HASH_BYTES, file.length);
    return isOfThisDevice(ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN)) ? data : null;
  }

  private boolean isOfThisDevice(ByteBuffer data) {
    int size = data.getInt();
    int version = data.getInt();
    int vendor = data.getInt();
    int device = data.getInt();
    byte[] of = new byte[16];
    data.get(of);
    return size >= HEADER_BYTES
        && version == HEADER_VERSION_ONE
        && vendor == vendorId
        && device == deviceId
        && HexFormat.of().formatHex(of).equals(uuid);
  }

  private static byte[] hash(byte[] bytes, int from, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes, from, length);
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
