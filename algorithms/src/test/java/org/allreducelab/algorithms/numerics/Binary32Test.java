package org.allreducelab.algorithms.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Binary32Test {

  @Test
  void everyNanResultIsCanonical() {
    assertThat(Binary32.add(0x7f800000, 0xff800000)).isEqualTo(0x7fc00000);
    assertThat(Binary32.add(0xffc12345, 0x3f800000)).isEqualTo(0x7fc00000);
    assertThat(Binary32.add(0x3f800000, 0x7f800001)).isEqualTo(0x7fc00000);
  }

  @Test
  void zerosKeepTheirSign() {
    assertThat(Binary32.add(0x80000000, 0x80000000)).isEqualTo(0x80000000);
    assertThat(Binary32.add(0x80000000, 0)).isZero();
    assertThat(Binary32.add(0x3f800000, 0xbf800000)).isZero();
  }

  @Test
  void subnormalsArePreserved() {
    assertThat(Binary32.add(1, 2)).isEqualTo(3);
    assertThat(Binary32.add(0x00800000, 0x80000001)).isEqualTo(0x007fffff);
  }

  @Test
  void infinityIsNoNan() {
    assertThat(Binary32.isNan(0x7f800000)).isFalse();
    assertThat(Binary32.isNan(0xff800000)).isFalse();
    assertThat(Binary32.isNan(0xff800001)).isTrue();
  }
}
