package org.allreducelab.harness.bundle;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a program or shared library asks of the libraries of the host.
 *
 * <p>Read from the ELF sections {@code .dynamic} (which libraries) and {@code .gnu.version_r}
 * (which symbol versions of them); System V ABI and Linux Standard Base, symbol versioning. 64-bit
 * little-endian files only.
 *
 * @param libraries names such as {@code libc.so.6}
 * @param versions symbol versions such as {@code GLIBC_2.17}, without the weak ones
 */
record ElfNeeds(Set<String> libraries, Set<String> versions) {
  private static final int MAGIC = 0x464c457f;
  private static final byte CLASS_64 = 2;
  private static final byte LITTLE_ENDIAN = 1;

  private static final int SECTION_DYNAMIC = 6;
  private static final int SECTION_VERSION_NEEDS = 0x6ffffffe;
  private static final long TAG_NEEDED = 1;
  private static final int FLAG_WEAK = 2;

  /** Reads a file's bytes; empty if they are no ELF file of the supported kind. */
  static Optional<ElfNeeds> read(byte[] bytes) {
    ByteBuffer elf = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < 64
        || elf.getInt(0) != MAGIC
        || elf.get(4) != CLASS_64
        || elf.get(5) != LITTLE_ENDIAN) {
      return Optional.empty();
    }
    ElfNeeds needs = new ElfNeeds(new TreeSet<>(), new TreeSet<>());
    int sections = (int) elf.getLong(0x28);
    int sectionBytes = Short.toUnsignedInt(elf.getShort(0x3a));
    int count = Short.toUnsignedInt(elf.getShort(0x3c));
    for (int i = 0; i < count; i++) {
      int section = sections + i * sectionBytes;
      int type = elf.getInt(section + 4);
      int start = (int) elf.getLong(section + 0x18);
      int size = (int) elf.getLong(section + 0x20);
      int stringSection = sections + elf.getInt(section + 0x28) * sectionBytes;
      int strings = (int) elf.getLong(stringSection + 0x18);
      if (type == SECTION_DYNAMIC) {
        needs.readLibraries(elf, start, size, strings);
      } else if (type == SECTION_VERSION_NEEDS) {
        needs.readVersions(elf, start, elf.getInt(section + 0x2c), strings);
      }
    }
    return Optional.of(needs);
  }

  private void readLibraries(ByteBuffer elf, int start, int size, int strings) {
    for (int entry = start; entry < start + size; entry += 16) {
      if (elf.getLong(entry) == TAG_NEEDED) {
        libraries.add(string(elf, strings + (int) elf.getLong(entry + 8)));
      }
    }
  }

  private void readVersions(ByteBuffer elf, int start, int files, int strings) {
    int file = start;
    for (int i = 0; i < files; i++) {
      int version = file + elf.getInt(file + 8);
      for (int j = Short.toUnsignedInt(elf.getShort(file + 2)); j > 0; j--) {
        if ((elf.getShort(version + 4) & FLAG_WEAK) == 0) {
          versions.add(string(elf, strings + elf.getInt(version + 8)));
        }
        version += elf.getInt(version + 12);
      }
      file += elf.getInt(file + 12);
    }
  }

  private static String string(ByteBuffer elf, int start) {
    int end = start;
    while (elf.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end - start];
    elf.get(start, text);
    return new String(text, StandardCharsets.ISO_8859_1);
  }
}
