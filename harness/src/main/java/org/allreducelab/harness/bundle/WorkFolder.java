package org.allreducelab.harness.bundle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.allreducelab.harness.cli.UsageException;

/**
 * A hidden folder beside the file that a command makes: on its file system, so that the finished
 * file appears at once and whole. It goes away with whatever is in it, also on Ctrl-C.
 */
final class WorkFolder implements AutoCloseable {
  private final Path target;
  private final Path folder;
  private final Thread hook = new Thread(this::deleteAll, "delete work folder");

  private WorkFolder(Path target, Path folder) {
    this.target = target;
    this.folder = folder;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Makes the folder for a target.
   *
   * @throws UsageException if the target cannot be written
   */
  static WorkFolder beside(Path target) {
    Path parent = target.toAbsolutePath().getParent();
    if (parent == null || Files.isDirectory(target)) {
      throw new UsageException("cannot write " + target + ": it is a folder; -o takes a file name");
    }
    if (!Files.isDirectory(parent)) {
      throw new UsageException("cannot write " + target + ": there is no folder " + parent);
    }
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(target)) {
      throw new UsageException("cannot write " + target + ": it exists and is no regular file");
    }
    try {
      return new WorkFolder(target, Files.createTempDirectory(parent, ".lab-bundle"));
    } catch (IOException e) {
      throw new UsageException(
          "cannot write " + target + ": nothing can be created in " + parent + "; give another -o",
          e);
    }
  }

  /** A path inside. */
  Path resolve(String name) {
    return folder.resolve(name);
  }

  /** Moves a finished file from here to the target, over an older one. */
  void finish(Path file) throws IOException {
    Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() {
    deleteAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // The hook runs, or has run.
      return;
    }
  }

  private synchronized void deleteAll() {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
