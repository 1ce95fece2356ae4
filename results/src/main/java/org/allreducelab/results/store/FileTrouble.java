package org.allreducelab.results.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Why a file could not be written, in words: Java often gives a path and a class name alone. */
final class FileTrouble {
  private FileTrouble() {}

  /** One clause, without the name of an exception class. */
  static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "no permission" + of(denied.getFile());
    }
    if (e instanceof NoSuchFileException missing) {
      return "nothing can be made" + of(missing.getFile());
    }
    if (e instanceof FileAlreadyExistsException file) {
      return file.getFile() + " is a file, not a folder";
    }
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason() + of(system.getFile());
    }
    return e.getMessage() == null ? "the system gives no reason" : e.getMessage();
  }

  private static String of(@Nullable String file) {
    return file == null ? "" : " at " + file;
  }
}
