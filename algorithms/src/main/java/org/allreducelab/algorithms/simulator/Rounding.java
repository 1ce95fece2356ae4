package org.allreducelab.algorithms.simulator;

import org.allreducelab.algorithms.numerics.BFloat16;
import org.allreducelab.algorithms.numerics.Binary16;
import org.allreducelab.algorithms.numerics.Binary32;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

/**
 * Rounds f32 bits in place to the values of a type. A NaN becomes 0x7FC00000, which is every type's
 * canonical NaN, widened.
 */
enum Rounding {
  /** Leaves the bits as they are, NaN payloads too. */
  NONE {
    @Override
    void round(int[] bits, int from, int length) {}
  },
  BF16_NEAREST {
    @Override
    void round(int[] bits, int from, int length) {
      for (int i = from; i < from + length; i++) {
        bits[i] = BFloat16.widen(BFloat16.narrow(bits[i]));
      }
    }
  },
  BF16_TRUNCATED {
    @Override
    void round(int[] bits, int from, int length) {
      for (int i = from; i < from + length; i++) {
        bits[i] = BFloat16.widen(BFloat16.truncate(bits[i]));
      }
    }
  },
  F16_NEAREST {
    @Override
    void round(int[] bits, int from, int length) {
      for (int i = from; i < from + length; i++) {
        bits[i] = Binary16.widen(Binary16.narrow(bits[i]));
      }
    }
  },
  F16_TRUNCATED {
    @Override
    void round(int[] bits, int from, int length) {
      for (int i = from; i < from + length; i++) {
        bits[i] = Binary16.widen(Binary16.truncate(bits[i]));
      }
    }
  },
  /** Only NaNs change. */
  F32 {
    @Override
    void round(int[] bits, int from, int length) {
      for (int i = from; i < from + length; i++) {
        bits[i] = Binary32.canonical(bits[i]);
      }
    }
  };

  abstract void round(int[] bits, int from, int length);

  static Rounding to(ElementType type, Narrowing narrowing) {
    boolean nearest = narrowing == Narrowing.RNE;
    return switch (type) {
      case BF16 -> nearest ? BF16_NEAREST : BF16_TRUNCATED;
      case F16 -> nearest ? F16_NEAREST : F16_TRUNCATED;
      case F32 -> F32;
    };
  }
}
