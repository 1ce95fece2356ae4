package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.*;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.allreducelab.backends.CacheFolder;
import org.allreducelab.backends.DriverException;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPipelineCacheCreateInfo;

/**
 * A logical device's compiled kernels, from and for the disk. A driver takes up to seconds to make
 * them from SPIR-V.
 *
 * <p>What lies on disk is used only whole and only by the device and driver that made it ({@link
 * PipelineFile}): a driver may crash over what another one wrote.
 */
final class PipelineCache implements AutoCloseable {
  private final VkDevice device;
  private final String deviceName;
  private final PipelineFile file;
  private final CacheFolder folder;
  private final byte[] loaded;
  private final long handle;
  private boolean used;
  private boolean closed;

  PipelineCache(VkDevice device, String deviceName, PipelineFile file, CacheFolder folder) {
    this.device = device;
    this.deviceName = deviceName;
    this.file = file;
    this.folder = folder;
    byte[] known = file.unwrap(folder.read(file.name()));
    long made = known == null ? VK_NULL_HANDLE : create(known);
    loaded = made == VK_NULL_HANDLE || known == null ? new byte[0] : known;
    handle = made == VK_NULL_HANDLE ? create(loaded) : made;
  }

  /** The cache's handle, or none where the driver does not want these bytes. */
  private long create(byte[] data) {
    ByteBuffer bytes = data.length == 0 ? null : MemoryUtil.memAlloc(data.length).put(data).flip();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      VkPipelineCacheCreateInfo info =
          VkPipelineCacheCreateInfo.calloc(stack).sType$Default().pInitialData(bytes);
      int code = vkCreatePipelineCache(device, info, null, made);
      return code < 0 ? VK_NULL_HANDLE : made.get(0);
    } finally {
      MemoryUtil.memFree(bytes);
    }
  }

  /** For making a pipeline; {@code VK_NULL_HANDLE} where the driver gives no cache. */
  long use() {
    used = true;
    return handle;
  }

  private byte @Nullable [] data() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer size = stack.mallocPointer(1);
      check(
          vkGetPipelineCacheData(device, handle, size, null), "vkGetPipelineCacheData", deviceName);
      if (size.get(0) > PipelineFile.MOST_BYTES) {
        return null;
      }
      ByteBuffer bytes = MemoryUtil.memAlloc((int) size.get(0));
      try {
        int code = vkGetPipelineCacheData(device, handle, size, bytes);
        byte[] data = new byte[(int) size.get(0)];
        bytes.get(data);
        return check(code, "vkGetPipelineCacheData", deviceName) == VK_SUCCESS ? data : null;
      } finally {
        MemoryUtil.memFree(bytes);
      }
    }
  }

  /** Writes what was made since it was read. */
  private void save() {
    byte[] data = data();
    if (data != null && !Arrays.equals(data, loaded)) {
      folder.write(file.name(), file.wrap(data));
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (handle == VK_NULL_HANDLE) {
      return;
    }
    try {
      if (used) {
        save();
      }
    } catch (DriverException e) {
      // Of a device that is lost nothing is worth keeping; the cache is destroyed all the same.
      return;
    } finally {
      vkDestroyPipelineCache(device, handle, null);
    }
  }
}
