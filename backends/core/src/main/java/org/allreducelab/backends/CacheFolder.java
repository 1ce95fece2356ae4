package org.allreducelab.backends;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * A folder of files that can be made again: one kind of things that the lab keeps for the next
 * process.
 *
 * <p>A cache that cannot be read or written (no permission, a full disk) is no cache, never an
 * error. A reader sees all of a file or what was there before.
 */
public final class CacheFolder {
  private final Path folder;

  public CacheFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * {@code $XDG_CACHE_HOME/allreduce-lab/KIND}, or below {@code ~/.cache}.
   *
   * @param kind for instance {@code spirv}
   */
  public static CacheFolder ofUser(String kind) {
    String base = System.getenv("XDG_CACHE_HOME");
    // A relative one is to be ignored, says the XDG base directory specification.
    Path cache =
        base == null || !base.startsWith("/")
            ? Path.of(System.getProperty("user.home", "."), ".cache")
            : Path.of(base);
    return new CacheFolder(cache.resolve("allreduce-lab").resolve(kind));
  }

  /** A file's bytes, or null where there is no such file to be read. */
  public byte @Nullable [] read(String name) {
    try {
      return Files.readAllBytes(folder.resolve(name));
    } catch (IOException | OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * Keeps a file.
   *
   * @return whether it is kept; what was there before is there still where it is not
   */
  public boolean write(String name, byte[] bytes) {
    Path part = null;
    try {
      Files.createDirectories(folder);
      part = Files.createTempFile(folder, name, ".part");
      Files.write(part, bytes);
      Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException e) {
      drop(part);
      return false;
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
}
