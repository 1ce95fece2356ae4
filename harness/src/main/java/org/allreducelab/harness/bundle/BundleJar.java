package org.allreducelab.harness.bundle;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.allreducelab.harness.Lab;
import org.allreducelab.harness.cli.UsageException;

/** The jar of a bundle: this lab's own, for one platform and stored without compression. */
final class BundleJar {
  /** Where LWJGL keeps natives, and their checksums, of a platform. */
  private static final Pattern NATIVES =
      Pattern.compile("(?:META-INF/)?((?:freebsd|linux|macos|windows)/[a-z0-9]+)/.*");

  private static final String PLATFORM = "linux/x64";

  private BundleJar() {}

  /**
   * The jar that this lab runs from.
   *
   * @throws UsageException if it runs from class files
   */
  static Path ofThisLab() {
    CodeSource source = Lab.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = source == null ? Path.of("") : Path.of(source.getLocation().toURI());
      if (Files.isRegularFile(jar)) {
        return jar;
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the location of a class is a URI", e);
    }
    throw new UsageException("this lab runs from its class files; run ./lab bundle in a checkout");
  }

  /** Copies a jar: xz packs stored entries better than deflated ones, and across entries. */
  static void copy(Path from, Path to) throws IOException {
    try (ZipFile source = new ZipFile(from.toFile());
        ZipOutputStream target = new ZipOutputStream(Files.newOutputStream(to))) {
      for (ZipEntry entry : Collections.list(source.entries())) {
        if (isOfPlatform(entry.getName())) {
          byte[] bytes = source.getInputStream(entry).readAllBytes();
          target.putNextEntry(stored(entry, bytes));
          target.write(bytes);
          target.closeEntry();
        }
      }
    }
  }

  private static boolean isOfPlatform(String name) {
    Matcher matcher = NATIVES.matcher(name);
    return !matcher.matches() || PLATFORM.equals(matcher.group(1));
  }

  private static ZipEntry stored(ZipEntry of, byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    ZipEntry entry = new ZipEntry(of.getName());
    entry.setTime(of.getTime());
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(crc.getValue());
    return entry;
  }

  /** The shared libraries inside a jar, as their bytes. */
  static List<byte[]> sharedLibraries(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<byte[]> libraries = new java.util.ArrayList<>();
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (entry.getName().endsWith(".so")) {
          libraries.add(zip.getInputStream(entry).readAllBytes());
        }
      }
      return libraries;
    }
  }
}
