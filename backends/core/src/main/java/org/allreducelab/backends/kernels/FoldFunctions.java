package org.allreducelab.backends.kernels;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

/**
 * The fold itself as text: from the bits of its operands to the bits of its result, in the
 * vocabulary of {@link FoldNumerics}.
 *
 * <p>All arithmetic is on f32 bit patterns. The addition is a float instruction; conversions round
 * by integers, NaNs are found by integer tests. Where a device flushes subnormal values, lanes
 * whose operands are all at least 2^-103 add natively (each is a multiple of 2^-126, so no sum can
 * be subnormal), others by integers.
 *
 * <p>The text refers to {@code KIND_k}, the {@linkplain OperandKind kind} of operand k, and to
 * {@code TO_WIRE}: constants of a specialised kernel, or bits of {@code word}.
 */
public final class FoldFunctions {
  private final FoldShape shape;
  private final boolean soft;

  private FoldFunctions(FoldShape shape, boolean soft) {
    this.shape = shape;
    this.soft = soft;
  }

  /**
   * The conversions, the addition, {@code published(bits)} and {@code fold(word, x0, x1, …)}.
   *
   * @param soft whether sums of subnormal values need integer arithmetic
   */
  public static String of(FoldShape shape, boolean soft) {
    return FoldNumerics.conversions(shape.element())
        + (shape.wire() == shape.element() ? "" : FoldNumerics.conversions(shape.wire()))
        + FoldNumerics.addition(soft)
        + new FoldFunctions(shape, soft).text();
  }

  /** The kinds of operands by the names that the text uses. */
  public static String kindNames() {
    StringBuilder text = new StringBuilder();
    for (OperandKind kind : OperandKind.values()) {
      text.append("#define %s %du\n".formatted(kind.name(), kind.constant()));
    }
    return text.toString();
  }

  /** What the text refers to, as bits of {@link FoldVariant#word()}. */
  public static String bitsOfWord(int operands) {
    StringBuilder text = new StringBuilder();
    text.append("#define PUBLISHES ((word & 0x40000000u) != 0u)\n");
    text.append("#define TO_WIRE ((word & 0x80000000u) != 0u)\n");
    for (int k = 0; k < operands; k++) {
      text.append("#define KIND_%d ((word >> %d) & 3u)\n".formatted(k, 2 * k));
    }
    return text.toString();
  }

  /**
   * {@code published(bits)} and {@code fold(word, x0, x1, …)}, both giving bits of the element type
   * or, where they say so, of the wire type.
   */
  private String text() {
    String element = shape.element().label();
    String wire = shape.wire().label();
    String toWire = (shape.narrowing() == Narrowing.RNE ? "narrow_" : "truncate_") + wire;
    boolean narrows = shape.wire() != shape.element();
    String publish =
        narrows ? "return %s(widen_%s(bits));".formatted(toWire, element) : "return bits;";
    return "uvec4 published(uvec4 bits) { "
        + publish
        + " }\n"
        + enter(element, wire, toWire, narrows)
        + (shape.operands() == 1 ? copy(element, wire, toWire, narrows) : sum(element));
  }

  private static String enter(String element, String wire, String toWire, boolean narrows) {
    return """
        uvec4 enter(uint kind, uvec4 bits) {
          if (kind == NEGATIVE_ZERO) { return uvec4(0x80000000u); }
          %s
          uvec4 value = widen_%s(bits);
          return kind == ELEMENT_THROUGH_WIRE ? widen_%s(%s(value)) : value;
        }
        """
        .formatted(
            narrows ? "if (kind == WIRE) { return widen_%s(bits); }".formatted(wire) : "",
            element,
            wire,
            toWire);
  }

  /** One operand: bits are copied as they are unless the type changes or it passes the wire. */
  private static String copy(String element, String wire, String toWire, boolean narrows) {
    String convert =
        narrows
            ? """
              if (TO_WIRE && KIND_0 != WIRE) { return %s(widen_%s(x0)); }
                if (!TO_WIRE && KIND_0 == WIRE) { return pack_%s(widen_%s(x0)); }"""
                .formatted(toWire, element, element, wire)
            : "";
    return """
        uvec4 fold(uint word, uvec4 x0) {
          if (KIND_0 == ELEMENT_THROUGH_WIRE) { return narrow_%s(enter(KIND_0, x0)); }
          if (KIND_0 == NEGATIVE_ZERO) {
            return TO_WIRE ? pack_%s(uvec4(0x80000000u)) : pack_%s(uvec4(0x80000000u));
          }
          %s
          return x0;
        }
        """
        .formatted(element, wire, element, convert);
  }

  private String sum(String element) {
    StringBuilder text = new StringBuilder();
    text.append("uvec4 fold(uint word, ").append(list("uvec4 x%1$d", ", ")).append(") {\n");
    text.append(list("  x%1$d = enter(KIND_%1$d, x%1$d);\n", ""));
    if (soft && shape.element() != ElementType.F16) {
      text.append(carefully(element));
    }
    text.append("  uvec4 s = x0;\n");
    for (int k = 1; k < shape.operands(); k++) {
      text.append("  s = add(s, x%d);\n".formatted(k));
      if (shape.eachAdd() && k < shape.operands() - 1) {
        text.append("  s = widen_%1$s(narrow_%1$s(s));\n".formatted(element));
      }
    }
    return text.append("  return narrow_%s(s);\n}\n".formatted(element)).toString();
  }

  /**
   * A loop, not a chain: the integer addition is long, and drivers inline and compile each call.
   */
  private String carefully(String element) {
    return """
          if (mayFlush(%1$s)) {
            uvec4 x[%3$d];
            %2$s
            uvec4 s = x[0];
            for (uint k = 1u; k < %3$du; k++) {
              s = addExactly(s, x[k]);
              %4$s
            }
            return narrow_%5$s(s);
          }
        """
        .formatted(
            smallest(),
            list("x[%1$d] = x%1$d;", " "),
            shape.operands(),
            shape.eachAdd() ? "s = widen_%1$s(narrow_%1$s(s));".formatted(element) : "",
            element);
  }

  private String smallest() {
    String text = "x0 & 0x7fffffffu";
    for (int k = 1; k < shape.operands(); k++) {
      text = "min(" + text + ", x" + k + " & 0x7fffffffu)";
    }
    return text;
  }

  private String list(String each, String separator) {
    IntFunction<String> item = k -> each.formatted(k);
    return IntStream.range(0, shape.operands())
        .mapToObj(item)
        .collect(Collectors.joining(separator));
  }
}
