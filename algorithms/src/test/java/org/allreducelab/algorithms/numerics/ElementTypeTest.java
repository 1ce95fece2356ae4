package org.allreducelab.algorithms.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ElementTypeTest {

  @Test
  void patternsOfTheFormats() {
    assertThat(ElementType.BF16.infinityBits()).isEqualTo(0x7f80);
    assertThat(ElementType.F16.infinityBits()).isEqualTo(0x7c00);
    assertThat(ElementType.F32.infinityBits()).isEqualTo(0x7f800000);
    assertThat(ElementType.BF16.canonicalNanBits()).isEqualTo(BFloat16.CANONICAL_NAN);
    assertThat(ElementType.F16.canonicalNanBits()).isEqualTo(Binary16.CANONICAL_NAN);
    assertThat(ElementType.F32.canonicalNanBits()).isEqualTo(Binary32.CANONICAL_NAN);
    assertThat(ElementType.BF16.smallestExponent()).isEqualTo(-133);
    assertThat(ElementType.F16.smallestExponent()).isEqualTo(-24);
    assertThat(ElementType.F32.smallestExponent()).isEqualTo(-149);
    assertThat(ElementType.F16.maxValue()).isEqualTo(65504f);
    assertThat(ElementType.F32.maxValue()).isEqualTo(Float.MAX_VALUE);
    assertThat(ElementType.BF16.maxValue()).isEqualTo(0x1.fep127f);
  }

  @Test
  void vectorsAreLittleEndian() {
    byte[] two = new byte[4];
    ElementType.BF16.put(two, 1, 0xff80);
    assertThat(two).containsExactly(0, 0, 0x80, 0xff);
    assertThat(ElementType.F16.get(two, 1)).isEqualTo(0xff80);

    byte[] four = new byte[8];
    ElementType.F32.put(four, 1, 0x80c0ffee);
    assertThat(four).containsExactly(0, 0, 0, 0, 0xee, 0xff, 0xc0, 0x80);
    assertThat(ElementType.F32.get(four, 1)).isEqualTo(0x80c0ffee);
  }
}
