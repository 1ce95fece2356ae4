package org.allreducelab.results.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps two processes from writing one run.
 *
 * <p>The lock is the operating system's, so a killed process leaves none behind. The file itself
 * stays: deleting it would let a third process lock a new file of the same name while a second
 * still holds the old one.
 */
final class RunLock implements AutoCloseable {
  private final FileChannel channel;

  private RunLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws RunFolderException if it is held, by this process or another
   */
  static RunLock take(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return new RunLock(channel);
      }
    } catch (OverlappingFileLockException heldByThisProcess) {
      // Reported like a lock that another process holds.
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new RunFolderException(
        RunFolderException.Kind.LOCKED,
        file,
        "another process is writing this run; wait for it or stop it");
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
