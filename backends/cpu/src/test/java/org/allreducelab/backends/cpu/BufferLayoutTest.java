package org.allreducelab.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.DataBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferLayoutTest {
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1", "2, 20480", "8, 65536", "8, 1048576", "64, 4097", "2, 2147479543"})
  void buffersFitTheirArraysAndDoNotOverlap(int ranks, int capacity) {
    BufferLayout layout = new BufferLayout(ranks, capacity);
    List<Long> starts = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      for (DataBuffer buffer : DataBuffer.values()) {
        long start = layout.offset(rank, buffer);
        assertThat(start + capacity).isLessThanOrEqualTo(layout.arrayBytes());
        if (layout.shared()) {
          starts.add(start);
        }
      }
    }
    for (int i = 1; i < starts.size(); i++) {
      assertThat(starts.get(i) - starts.get(i - 1)).isGreaterThanOrEqualTo(capacity);
    }
  }

  @ParameterizedTest
  @CsvSource({"8, 20480", "8, 4194304"})
  void resultsStayClearOfOperandsModulo4096(int ranks, int capacity) {
    BufferLayout layout = new BufferLayout(ranks, capacity);
    for (int to = 0; to < ranks; to++) {
      for (int from = 0; from < ranks; from++) {
        for (DataBuffer buffer : DataBuffer.values()) {
          if (buffer == DataBuffer.RECV && from == to) {
            continue;
          }
          int ahead =
              Math.floorMod(layout.offset(to, DataBuffer.RECV) - layout.offset(from, buffer), 4096);
          assertThat(ahead).as("%d from %s %d", to, buffer, from).isBetween(320, 4096 - 320);
        }
      }
    }
  }
}
