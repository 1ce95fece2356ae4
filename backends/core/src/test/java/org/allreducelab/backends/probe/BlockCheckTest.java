package org.allreducelab.backends.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockCheckTest {
  private static final int START = 4;
  private static final byte[] SENT = {10, 20, (byte) 200, 40};

  private static ByteBuffer arrived() {
    ByteBuffer actual = ByteBuffer.allocateDirect(START + SENT.length + 4);
    while (actual.hasRemaining()) {
      actual.put((byte) BlockCheck.POISON);
    }
    actual.put(START, SENT);
    return actual.clear();
  }

  private static @Nullable WrongByte check(ByteBuffer actual) {
    return BlockCheck.firstWrong(actual, START, ByteBuffer.wrap(SENT));
  }

  @Test
  void everyByteAsSentAndPoisonAround() {
    assertThat(check(arrived())).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0,-4,165", "3,-1,165", "4,0,10", "6,2,200", "7,3,40", "8,4,165", "11,7,165"})
  void oneWrongByteIsFoundWhereverItIs(int at, int index, int expected) {
    assertThat(check(arrived().put(at, (byte) 77))).isEqualTo(new WrongByte(index, expected, 77));
  }

  @Test
  void theFirstOfSeveralIsTold() {
    ByteBuffer actual = arrived().put(7, (byte) 1).put(5, (byte) 255).put(9, (byte) 1);
    assertThat(check(actual)).isEqualTo(new WrongByte(1, 20, 255));
  }

  @Test
  void nothingArrived() {
    ByteBuffer actual = arrived().putInt(START, BlockCheck.POISON_WORD);
    assertThat(check(actual)).isEqualTo(new WrongByte(0, 10, BlockCheck.POISON));
  }

  @Test
  void theBlockMayBeASliceOfSomethingLonger() {
    ByteBuffer longer = ByteBuffer.wrap(new byte[] {1, 2, 10, 20, (byte) 200, 40, 3}, 2, 4);
    assertThat(BlockCheck.firstWrong(arrived(), START, longer)).isNull();
    assertThat(BlockCheck.firstWrong(arrived().put(5, (byte) 9), START, longer))
        .isEqualTo(new WrongByte(1, 20, 9));
  }
}
