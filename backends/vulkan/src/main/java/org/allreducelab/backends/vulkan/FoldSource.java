package org.allreducelab.backends.vulkan;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

/**
 * The GLSL text of a fold kernel.
 *
 * <p>A dispatch executes several folds: {@code gl_WorkGroupID.y} selects a record (see {@link
 * FoldTable}) that says where the runs lie. Elements are processed eight at a time with 16-byte
 * accesses where all runs allow it; what lies before and after goes one element at a time. A
 * two-byte element is stored by atomics on its half of a word, so that folds of one kernel that
 * meet inside a word do not lose each other's halves; no feature is needed for that.
 *
 * <p>All arithmetic is on f32 bit patterns in {@code uvec4}. The addition is a float instruction,
 * marked {@code precise}; conversions round by integers, NaNs are found by integer tests. Where the
 * device flushes subnormal values, four lanes whose operands are all at least 2^-103 add natively
 * (each is a multiple of 2^-126, so no sum can be subnormal), others by integers.
 */
final class FoldSource {
  /** Elements of one 16-byte body step. */
  static final int BLOCK_ELEMENTS = 8;

  private final FoldShape shape;
  private final KernelTraits traits;

  private FoldSource(FoldShape shape, KernelTraits traits) {
    this.shape = shape;
    this.traits = traits;
  }

  /**
   * Whether the kernel reads its variant's word from the record, and is not specialised: where
   * compiling costs more than running.
   */
  static boolean readsWord(FoldShape shape, KernelTraits traits) {
    return traits.scalar() && shape.operands() <= FoldVariant.MOST_IN_A_WORD;
  }

  static String text(FoldShape shape, KernelTraits traits) {
    return new FoldSource(shape, traits).text();
  }

  private String text() {
    return "#version 460\n"
        + "#extension GL_EXT_buffer_reference : require\n"
        + "#extension GL_EXT_buffer_reference_uvec2 : require\n"
        + executionModes()
        + GlslAccesses.vectors(traits.wideWords())
        + declarations()
        + lanes(
            GlslNumerics.conversions(shape.element())
                + (shape.wire() == shape.element() ? "" : GlslNumerics.conversions(shape.wire()))
                + GlslNumerics.addition(traits.soft())
                + arithmetic())
        + GlslAccesses.of("Element", shape.element())
        + (shape.wire() == shape.element() ? "" : GlslAccesses.of("Wire", shape.wire()))
        + kindAccesses()
        + main();
  }

  private String lanes(String arithmetic) {
    return traits.scalar() ? GlslNumerics.scalar(arithmetic) : arithmetic;
  }

  private String executionModes() {
    StringBuilder text = new StringBuilder();
    // Capability and execution mode numbers: SPIR-V 1.4, float controls.
    appendMode(text, traits.denormPreserve(), 4464, 4459);
    appendMode(text, traits.signedZeroInfNan(), 4466, 4461);
    appendMode(text, traits.roundingRte(), 4467, 4462);
    return text.isEmpty() ? "" : "#extension GL_EXT_spirv_intrinsics : require\n" + text;
  }

  private static void appendMode(StringBuilder text, boolean on, int capability, int mode) {
    if (on) {
      text.append(
          """
          spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [%d], %d, 32);
          """
              .formatted(capability, mode));
    }
  }

  private String declarations() {
    StringBuilder text = new StringBuilder("layout(local_size_x_id = 0) in;\n");
    if (readsWord(shape, traits)) {
      text.append("uint word;\n");
      text.append("#define PUBLISHES ((word & 0x40000000u) != 0u)\n");
      text.append("#define TO_WIRE ((word & 0x80000000u) != 0u)\n");
      for (int k = 0; k < shape.operands(); k++) {
        text.append("#define KIND_%d ((word >> %d) & 3u)\n".formatted(k, 2 * k));
      }
    } else {
      text.append("layout(constant_id = 1) const bool PUBLISHES = false;\n");
      text.append("layout(constant_id = 2) const bool TO_WIRE = false;\n");
      for (int k = 0; k < shape.operands(); k++) {
        text.append("layout(constant_id = %d) const uint KIND_%d = 0;\n".formatted(3 + k, k));
      }
    }
    for (OperandKind kind : OperandKind.values()) {
      text.append("const uint %s = %d;\n".formatted(kind.name(), kind.constant()));
    }
    return text
        + """
        struct Fold {
          uvec2 destination;
          uvec2 publish;
          uint elements;
          uint head;
          uint blocks;
          uint word;
          uvec2 source[%d];
        };
        layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Folds {
          Fold at[];
        };
        layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
          uint at[];
        };
        layout(push_constant) uniform Push {
          uvec2 folds;
        } push;
        """
            .formatted(shape.operands());
  }

  // --- arithmetic -------------------------------------------------------------------------------

  private String arithmetic() {
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
        uvec4 fold(uvec4 x0) {
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
    text.append("uvec4 fold(").append(list("uvec4 x%1$d", ", ")).append(") {\n");
    text.append(list("  x%1$d = enter(KIND_%1$d, x%1$d);\n", ""));
    if (traits.soft() && shape.element() != ElementType.F16) {
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
            uvec4 x[] = uvec4[](%2$s);
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
            list("x%1$d", ", "),
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

  // --- memory -----------------------------------------------------------------------------------

  private String kindAccesses() {
    String wire = shape.wire() == shape.element() ? "Element" : "Wire";
    return """
        void load(uint kind, uvec2 run, uint head, uint block, out uvec4 even, out uvec4 odd) {
          even = uvec4(0u);
          odd = uvec4(0u);
          if (kind == WIRE) {
            load%1$s(run, head, block, even, odd);
          } else if (kind != NEGATIVE_ZERO) {
            loadElement(run, head, block, even, odd);
          }
        }
        uint loadOne(uint kind, uvec2 run, uint i) {
          if (kind == NEGATIVE_ZERO) { return 0u; }
          return kind == WIRE ? loadOne%1$s(run, i) : loadOneElement(run, i);
        }
        """
        .formatted(wire);
  }

  private static final String VECTOR_FOLDS =
      """
          even = fold(EVENS);
          odd = fold(ODDS);
          publishedEven = published(even);
          publishedOdd = published(odd);
      """;

  /** One call only: see {@link KernelTraits#scalar()}. */
  private static final String SCALAR_FOLDS =
      """
          for (uint j = 0u; j < 8u; j++) {
            uint c = j >> 1;
            bool isOdd = (j & 1u) != 0u;
            uint one = fold(PICKS);
            if (isOdd) {
              odd[c] = one;
              publishedOdd[c] = published(one);
            } else {
              even[c] = one;
              publishedEven[c] = published(one);
            }
          }
      """;

  private String main() {
    String wire = shape.wire() == shape.element() ? "Element" : "Wire";
    String text =
        """
        void main() {
          Folds folds = Folds(push.folds);
          uvec2 destination = folds.at[gl_WorkGroupID.y].destination;
          uvec2 publish = folds.at[gl_WorkGroupID.y].publish;
          uint head = folds.at[gl_WorkGroupID.y].head;
          uint blocks = folds.at[gl_WorkGroupID.y].blocks;
          uint singles = folds.at[gl_WorkGroupID.y].elements - 8u * blocks;
        WORD
        SOURCES
          uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
          for (uint b = gl_GlobalInvocationID.x; b < blocks; b += stride) {
            uvec4 EVENS, ODDS;
        LOADS
            uvec4 even, odd, publishedEven, publishedOdd;
        FOLDS
            if (TO_WIRE) {
              storeWIRE(destination, head, b, even, odd);
            } else {
              storeElement(destination, head, b, even, odd);
            }
            if (PUBLISHES) {
              storeWIRE(publish, head, b, publishedEven, publishedOdd);
            }
          }
          for (uint s = gl_GlobalInvocationID.x; s < singles; s += stride) {
            uint i = s < head ? s : s + 8u * blocks;
            LANES one = fold(ONES);
            if (TO_WIRE) {
              storeOneWIRE(destination, i, one FIRST);
            } else {
              storeOneElement(destination, i, one FIRST);
            }
            if (PUBLISHES) {
              storeOneWIRE(publish, i, published(one) FIRST);
            }
          }
        }
        """;
    return text.replace("WIRE(", wire + "(")
        .replace(
            "WORD", readsWord(shape, traits) ? "  word = folds.at[gl_WorkGroupID.y].word;" : "")
        .replace("FOLDS", traits.scalar() ? SCALAR_FOLDS : VECTOR_FOLDS)
        .replace("LANES", traits.scalar() ? "uint" : "uvec4")
        .replace(" FIRST", traits.scalar() ? "" : ".x")
        .replace("PICKS", list("isOdd ? o%1$d[c] : e%1$d[c]", ", "))
        .replace(
            "SOURCES", list("  uvec2 source%1$d = folds.at[gl_WorkGroupID.y].source[%1$d];", "\n"))
        .replace("LOADS", list("    load(KIND_%1$d, source%1$d, head, b, e%1$d, o%1$d);", "\n"))
        .replace("EVENS", list("e%1$d", ", "))
        .replace("ODDS", list("o%1$d", ", "))
        .replace(
            "ONES",
            list(
                traits.scalar()
                    ? "loadOne(KIND_%1$d, source%1$d, i)"
                    : "uvec4(loadOne(KIND_%1$d, source%1$d, i))",
                ", "));
  }

  private String list(String each, String separator) {
    IntFunction<String> item = k -> each.formatted(k);
    return IntStream.range(0, shape.operands())
        .mapToObj(item)
        .collect(Collectors.joining(separator));
  }
}
