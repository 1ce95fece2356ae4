package org.allreducelab.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both sets of loops against the arithmetic of the numerics package, element by element. */
class LoopSetTest {
  private static final int[] LENGTHS = {
    0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000, 4099, 9001
  };

  static Stream<LoopSet> loops() {
    return Stream.of(FoldLoops.scalar(), FoldLoops.best().value());
  }

  @Test
  void theseTestsRunTheVectorLoops() {
    assertThat(FoldLoops.best().value().name()).startsWith("vector-");
    assertThat(FoldLoops.best().reason()).isEqualTo("jdk.incubator.vector added");
  }

  @ParameterizedTest
  @MethodSource("loops")
  void foldsMatchTheDefinitionForEveryTypeCountAndOffset(LoopSet loops) {
    for (ElementType element : ElementType.values()) {
      for (Accumulate accumulate : Accumulate.values()) {
        for (int operands = 2; operands <= 9; operands++) {
          FoldLoop loop = loops.fold(element, accumulate, operands);
          for (int length : LENGTHS) {
            checkFold(loop, element, accumulate, operands, length);
          }
        }
      }
    }
  }

  private static void checkFold(
      FoldLoop loop, ElementType element, Accumulate accumulate, int operands, int length) {
    byte[][] data = TestVectors.mixed(element, operands, 31L * length + operands).vectors(length);
    byte[][] sources = new byte[operands][];
    int[] offsets = new int[operands];
    for (int k = 0; k < operands; k++) {
      offsets[k] = (5 * k + length) % 71;
      sources[k] = shifted(data[k], offsets[k]);
    }
    byte[] expected = new byte[length * element.bytes()];
    for (int i = 0; i < length; i++) {
      element.put(expected, i, folded(data, element, accumulate, operands, i));
    }
    byte[] destination = new byte[3 + expected.length + 5];
    Arrays.fill(destination, (byte) 0x5a);
    loop.fold(sources, offsets, destination, 3, 0, length);
    assertThat(destination)
        .as("%s %s %d operands, %d elements", element, accumulate, operands, length)
        .isEqualTo(framed(expected, 3, 5));

    // In place: the destination is one of the operands.
    int own = operands / 2;
    loop.fold(sources, offsets, sources[own], offsets[own], 0, length);
    assertThat(Arrays.copyOfRange(sources[own], offsets[own], offsets[own] + expected.length))
        .isEqualTo(expected);
  }

  private static int folded(
      byte[][] data, ElementType element, Accumulate accumulate, int operands, int i) {
    int sum = element.get(data[0], i);
    if (accumulate == Accumulate.EACH_ADD) {
      for (int k = 1; k < operands; k++) {
        sum = element.add(sum, element.get(data[k], i));
      }
      return sum;
    }
    int wide = element.widen(sum);
    for (int k = 1; k < operands; k++) {
      wide = ElementType.F32.add(wide, element.widen(element.get(data[k], i)));
    }
    return element.narrow(wide, Narrowing.RNE);
  }

  @ParameterizedTest
  @MethodSource("loops")
  void foldsOnlyTheAskedRange(LoopSet loops) {
    FoldLoop loop = loops.fold(ElementType.BF16, Accumulate.EACH_ADD, 2);
    byte[] ones = new byte[400];
    for (int i = 0; i < 200; i++) {
      ElementType.BF16.put(ones, i, 0x3f80);
    }
    byte[] sums = new byte[400];
    loop.fold(new byte[][] {ones, ones}, new int[2], sums, 0, 13, 120);
    for (int i = 0; i < 200; i++) {
      assertThat(ElementType.BF16.get(sums, i)).isEqualTo(i >= 13 && i < 120 ? 0x4000 : 0);
    }
  }

  @ParameterizedTest
  @MethodSource("loops")
  void everyUpperHalfNarrowsAsDefined(LoopSet loops) {
    // Every upper half of an f32, with lower halves around the points where rounding changes.
    int[] lowerHalves = {
      0, 1, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff
    };
    byte[] values = new byte[4 << 16];
    byte[] narrowed = new byte[2 + (2 << 16)];
    for (int lower : lowerHalves) {
      for (int upper = 0; upper < 1 << 16; upper++) {
        ElementType.F32.put(values, upper, upper << 16 | lower);
      }
      for (ElementType wire : new ElementType[] {ElementType.BF16, ElementType.F16}) {
        for (Narrowing narrowing : Narrowing.values()) {
          loops.narrow(wire, narrowing).convert(values, 0, narrowed, 1, (1 << 16) - 1);
          byte[] at0 = Arrays.copyOfRange(narrowed, 1, narrowed.length);
          for (int upper = 0; upper < (1 << 16) - 1; upper++) {
            int expected = wire.narrow(upper << 16 | lower, narrowing);
            if (wire.get(at0, upper) != expected) {
              assertThat(wire.get(at0, upper))
                  .as("%s %s of %08x", wire, narrowing, upper << 16 | lower)
                  .isEqualTo(expected);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("loops")
  void randomValuesNarrowAsDefined(LoopSet loops) {
    Random random = new Random(7);
    byte[] values = new byte[4 * 100_003];
    random.nextBytes(values);
    byte[] narrowed = new byte[2 * 100_003];
    for (ElementType wire : new ElementType[] {ElementType.BF16, ElementType.F16}) {
      for (Narrowing narrowing : Narrowing.values()) {
        loops.narrow(wire, narrowing).convert(values, 0, narrowed, 0, 100_003);
        for (int i = 0; i < 100_003; i++) {
          int bits = ElementType.F32.get(values, i);
          int expected = wire.narrow(bits, narrowing);
          if (wire.get(narrowed, i) != expected) {
            assertThat(wire.get(narrowed, i)).as("%s of %08x", wire, bits).isEqualTo(expected);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("loops")
  void everyValueWidensExactly(LoopSet loops) {
    byte[] values = new byte[1 + (2 << 16)];
    byte[] widened = new byte[3 + (4 << 16)];
    for (ElementType wire : new ElementType[] {ElementType.BF16, ElementType.F16}) {
      byte[] at0 = new byte[2 << 16];
      for (int bits = 0; bits < 1 << 16; bits++) {
        wire.put(at0, bits, bits);
      }
      System.arraycopy(at0, 0, values, 1, at0.length);
      loops.widen(wire).convert(values, 1, widened, 3, (1 << 16) - 1);
      byte[] result = Arrays.copyOfRange(widened, 3, widened.length);
      for (int bits = 0; bits < (1 << 16) - 1; bits++) {
        if (ElementType.F32.get(result, bits) != wire.widen(bits)) {
          assertThat(ElementType.F32.get(result, bits))
              .as("%s %04x", wire, bits)
              .isEqualTo(wire.widen(bits));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("loops")
  void f32IsNotAWire(LoopSet loops) {
    assertThatThrownBy(() -> loops.widen(ElementType.F32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("f32 is not narrower than f32");
    assertThatThrownBy(() -> loops.narrow(ElementType.F32, Narrowing.RNE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] shifted(byte[] bytes, int offset) {
    return framed(bytes, offset, 0);
  }

  private static byte[] framed(byte[] bytes, int before, int after) {
    byte[] framed = new byte[before + bytes.length + after];
    Arrays.fill(framed, (byte) 0x5a);
    System.arraycopy(bytes, 0, framed, before, bytes.length);
    return framed;
  }
}
