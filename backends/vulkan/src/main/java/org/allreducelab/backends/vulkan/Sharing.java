package org.allreducelab.backends.vulkan;

/**
 * What a driver says about sharing one kind of object through one kind of handle.
 *
 * @param exportable whether it may be exported
 * @param importable whether it may be imported
 * @param dedicated whether memory needs an allocation of its own
 * @param source the query that said so, or why it could not be asked
 */
record Sharing(boolean exportable, boolean importable, boolean dedicated, String source) {

  static Sharing impossible(String why) {
    return new Sharing(false, false, false, why);
  }

  boolean bothWays() {
    return exportable && importable;
  }

  /** For people: the source with its answer. */
  String detail() {
    if (bothWays()) {
      return source;
    }
    return exportable || importable
        ? source + (exportable ? ": not importable" : ": not exportable")
        : source;
  }
}
