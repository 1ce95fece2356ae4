package org.allreducelab.results.store;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A run folder that cannot be used; the message is one line that names the file and the remedy. */
public final class RunFolderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why the folder cannot be used. */
  public enum Kind {
    /** A new run was to be written where something lies already. */
    EXISTS,
    /** The folder or a file in it cannot be written. */
    UNWRITABLE,
    /** There is no run, or it cannot be read. */
    UNREADABLE,
    /** A file of the run does not hold what it should. */
    DAMAGED,
    /** The run was written under another schema version. */
    OTHER_SCHEMA,
    /** Another process is writing this run. */
    LOCKED,
    /** Nothing is left to resume. */
    NOTHING_TO_DO
  }

  private final Kind kind;

  RunFolderException(Kind kind, Path file, String message) {
    super(file + ": " + message);
    this.kind = kind;
  }

  RunFolderException(Kind kind, Path file, String message, @Nullable Throwable cause) {
    super(file + ": " + message, cause);
    this.kind = kind;
  }

  /** A run that is under way and cannot go on, for instance because the disk is full. */
  public static RunFolderException stopped(Path folder, IOException e) {
    return new RunFolderException(
        Kind.UNWRITABLE,
        folder,
        "cannot be written: "
            + FileTrouble.reason(e)
            + "; what it holds is kept, --resume goes on with it",
        e);
  }

  /** A message that goes on after the name of the file, without a colon. */
  static RunFolderException sentence(Kind kind, Path file, String rest) {
    return new RunFolderException(file + " " + rest, kind, null);
  }

  private RunFolderException(String message, Kind kind, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Why the folder cannot be used. */
  public Kind kind() {
    return kind;
  }
}
