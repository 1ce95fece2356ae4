package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class PipelineFileTest {
  private static final String UUID = "000102030405060708090a0b0c0d0e0f";
  private static final PipelineFile FILE = new PipelineFile(0x10de, 0x2335, 580, UUID);

  private static byte[] data(int version, int vendor, int device, String uuid) {
    return ByteBuffer.allocate(40)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(32)
        .putInt(version)
        .putInt(vendor)
        .putInt(device)
        .put(HexFormat.of().parseHex(uuid))
        .putLong(0x1234)
        .array();
  }

  private static byte[] good() {
    return data(1, 0x10de, 0x2335, UUID);
  }

  @Test
  void givesBackWhatItWasGiven() {
    assertThat(FILE.unwrap(FILE.wrap(good()))).isEqualTo(good());
  }

  @Test
  void whatIsDamagedIsNothing() {
    byte[] whole = FILE.wrap(good());
    for (int i = 0; i < whole.length; i++) {
      byte[] flipped = whole.clone();
      flipped[i] ^= 1;
      assertThat(FILE.unwrap(flipped)).as("byte %d changed", i).isNull();
      assertThat(FILE.unwrap(java.util.Arrays.copyOf(whole, i))).as("cut at %d", i).isNull();
    }
    assertThat(FILE.unwrap(null)).isNull();
  }

  @Test
  void whatAnotherDeviceWroteIsNothing() {
    assertThat(FILE.unwrap(FILE.wrap(data(2, 0x10de, 0x2335, UUID)))).isNull();
    assertThat(FILE.unwrap(FILE.wrap(data(1, 0x1002, 0x2335, UUID)))).isNull();
    assertThat(FILE.unwrap(FILE.wrap(data(1, 0x10de, 0x2336, UUID)))).isNull();
    assertThat(FILE.unwrap(FILE.wrap(data(1, 0x10de, 0x2335, UUID.replace("0f", "ff"))))).isNull();
  }

  @Test
  void whatIsTooLargeIsNothing() {
    assertThat(FILE.unwrap(new byte[PipelineFile.MOST_BYTES + 64])).isNull();
  }

  @Test
  void anotherDriverIsAnotherFile() {
    assertThat(FILE.name()).isEqualTo("000010de-00002335-00000244-" + UUID + ".bin");
    assertThat(new PipelineFile(0x10de, 0x2335, 581, UUID).name()).isNotEqualTo(FILE.name());
  }
}
