package org.allreducelab.backends.opencl;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The kinds of handles through which a device shares something, by its own answer.
 *
 * @param query the name of the question
 * @param types what it lists
 * @param trouble why there is no answer; empty if there is one
 */
record HandleTypes(String query, List<Integer> types, String trouble) {
  HandleTypes {
    types = List.copyOf(types);
  }

  static HandleTypes listed(String query, List<Integer> types) {
    return new HandleTypes(query, types, "");
  }

  /** A device without the extension was not asked. */
  static HandleTypes without(String extension, String query) {
    return new HandleTypes(query, List.of(), extension + " is not among the device's extensions");
  }

  /** The device has the extension and no answer. */
  static HandleTypes failed(String query, int code) {
    return new HandleTypes(query, List.of(), query + " gives " + ErrorCode.name(code));
  }

  boolean has(int type) {
    return types.contains(type);
  }

  /** Where it is from that a type is there, or why it is not. */
  String detail() {
    return trouble.isEmpty()
        ? query
            + " lists "
            + (types.isEmpty()
                ? "nothing"
                : types.stream()
                    .map(type -> String.format(Locale.ROOT, "0x%04x", type))
                    .collect(Collectors.joining(", ")))
        : trouble;
  }
}
