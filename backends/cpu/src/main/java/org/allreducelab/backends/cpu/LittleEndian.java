package org.allreducelab.backends.cpu;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Elements in byte arrays, at any offset. */
final class LittleEndian {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  static int get16(byte[] array, int offset) {
    return (short) SHORTS.get(array, offset) & 0xffff;
  }

  static void put16(byte[] array, int offset, int bits) {
    SHORTS.set(array, offset, (short) bits);
  }

  static int get32(byte[] array, int offset) {
    return (int) INTS.get(array, offset);
  }

  static void put32(byte[] array, int offset, int bits) {
    INTS.set(array, offset, bits);
  }
}
