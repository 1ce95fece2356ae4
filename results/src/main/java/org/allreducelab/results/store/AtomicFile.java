package org.allreducelab.results.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is replaced as a whole: after a crash at any moment it has the old content or the
 * new.
 *
 * <p>The new content goes to a temporary file in the same folder, is forced to the disk, and is
 * then renamed over the old.
 */
final class AtomicFile {
  private static final String TEMPORARY_SUFFIX = ".tmp";

  private final Path file;

  AtomicFile(Path file) {
    this.file = file;
  }

  /** Replaces the content. */
  void write(byte[] content) throws IOException {
    Path temporary = temporary();
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    } catch (IOException e) {
      // Of no use, and on a full disk in the way.
      if (Files.isRegularFile(temporary)) {
        Files.delete(temporary);
      }
      throw e;
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes what a writer that died half-way left behind. */
  void removeLeftover() throws IOException {
    Files.deleteIfExists(temporary());
  }

  private Path temporary() {
    return file.resolveSibling(file.getFileName() + TEMPORARY_SUFFIX);
  }
}
