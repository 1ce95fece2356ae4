package org.allreducelab.harness.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What part of a bundle needs of the host.
 *
 * @param glibc the oldest version of the GNU C library that has all it uses, for instance 2.17
 * @param libraries others, by the names that the dynamic linker looks for
 */
record HostNeeds(String glibc, Set<String> libraries) {
  private static final Pattern GLIBC = Pattern.compile("GLIBC_(\\d+(?:\\.\\d+)*)");

  private static final Pattern OF_GLIBC =
      Pattern.compile("(?:lib(?:c|dl|m|pthread|rt)|ld-linux-x86-64)\\.so\\.\\d+");

  /** What a folder of programs and libraries needs; what lies inside it is no need. */
  static HostNeeds ofFolder(Path folder) throws IOException {
    Set<String> inside = new TreeSet<>();
    List<Path> files;
    try (Stream<Path> tree = Files.walk(folder)) {
      files = tree.filter(Files::isRegularFile).toList();
    }
    TreeSet<String> versions = new TreeSet<>();
    TreeSet<String> libraries = new TreeSet<>();
    for (Path file : files) {
      inside.add(file.getFileName().toString());
      if (looksLikeElf(file)) {
        add(Files.readAllBytes(file), versions, libraries);
      }
    }
    libraries.removeAll(inside);
    return of(versions, libraries);
  }

  /** What shared libraries need. */
  static HostNeeds ofLibraries(List<byte[]> files) {
    TreeSet<String> versions = new TreeSet<>();
    TreeSet<String> libraries = new TreeSet<>();
    files.forEach(file -> add(file, versions, libraries));
    return of(versions, libraries);
  }

  private static void add(byte[] file, Set<String> versions, Set<String> libraries) {
    ElfNeeds.read(file)
        .ifPresent(
            needs -> {
              versions.addAll(needs.versions());
              libraries.addAll(needs.libraries());
            });
  }

  private static boolean looksLikeElf(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(4), java.nio.charset.StandardCharsets.ISO_8859_1)
          .equals("\177ELF");
    }
  }

  private static HostNeeds of(Set<String> versions, Set<String> libraries) {
    String glibc =
        versions.stream()
            .map(GLIBC::matcher)
            .filter(java.util.regex.Matcher::matches)
            .map(matcher -> Runtime.Version.parse(matcher.group(1)))
            .max(Comparator.naturalOrder())
            .map(Object::toString)
            .orElse("");
    return new HostNeeds(
        glibc,
        libraries.stream()
            .filter(name -> !OF_GLIBC.matcher(name).matches())
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** {@code glibc 2.28 or newer, libgcc_s.so.1, libstdc++.so.6}. */
  String text() {
    String first = glibc.isEmpty() ? "any glibc" : "glibc " + glibc + " or newer";
    return libraries.isEmpty() ? first : first + ", " + String.join(", ", libraries);
  }
}
