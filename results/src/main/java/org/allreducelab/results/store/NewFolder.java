package org.allreducelab.results.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.allreducelab.results.store.RunFolderException.Kind;

/** The folder of a run that begins: new, or empty but for a lock. */
final class NewFolder {
  private final RunFolder folder;

  private NewFolder(RunFolder folder) {
    this.folder = folder;
  }

  /**
   * A folder for a run; makes nothing yet.
   *
   * @throws RunFolderException if something else is there
   */
  static NewFolder at(RunFolder folder) {
    Path path = folder.path();
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw RunFolderException.sentence(Kind.EXISTS, path, "is not a folder; choose a new folder");
    }
    return new NewFolder(folder);
  }

  /**
   * Makes it, and those above that are missing.
   *
   * @throws RunFolderException if it holds something
   */
  void make() throws IOException {
    requireFolderAbove();
    Files.createDirectories(folder.path());
    requireEmpty();
  }

  /** Java would only say "not a directory", of a path that is not there. */
  private void requireFolderAbove() throws IOException {
    Path above = folder.path().toAbsolutePath();
    while (above != null && !Files.exists(above)) {
      above = above.getParent();
    }
    if (above != null && !Files.isDirectory(above)) {
      throw new FileAlreadyExistsException(above.toString());
    }
  }

  /**
   * Refuses a folder in use.
   *
   * @throws RunFolderException if it holds something
   */
  void requireEmpty() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.path())) {
      for (Path file : files) {
        if (!file.equals(folder.lock())) {
          throw RunFolderException.sentence(
              Kind.EXISTS, folder.path(), "is not empty; choose a new folder, or --resume it");
        }
      }
    }
  }

  /** After a failure: so that it is empty, and can be used when there is room. */
  void dropBeginnings() {
    for (Path file : List.of(folder.latencyLog(), folder.jmhJson(), folder.runJson())) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // It cannot be written: that is what the caller is about to tell.
        return;
      }
    }
  }
}
