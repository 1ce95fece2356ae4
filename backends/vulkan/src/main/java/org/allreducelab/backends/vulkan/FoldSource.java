package org.allreducelab.backends.vulkan;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.allreducelab.backends.kernels.FoldFunctions;
import org.allreducelab.backends.kernels.FoldNumerics;
import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldTable;
import org.allreducelab.backends.kernels.FoldVariant;

/**
 * The GLSL text of a fold kernel.
 *
 * <p>A dispatch executes several folds: {@code gl_WorkGroupID.y} selects a record (see {@link
 * FoldTable}) that says where the runs lie. Elements are processed eight at a time with 16-byte
 * accesses where all runs allow it; what lies before and after goes one element at a time. A
 * two-byte element is stored by atomics on its half of a word, so that folds of one kernel that
 * meet inside a word do not lose each other's halves; no feature is needed for that.
 *
 * <p>{@link FoldFunctions} are the arithmetic.
 */
final class FoldSource {
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
        + lanes(FoldFunctions.of(shape, traits.soft()))
        + GlslAccesses.of("Element", shape.element())
        + (shape.wire() == shape.element() ? "" : GlslAccesses.of("Wire", shape.wire()))
        + kindAccesses()
        + main();
  }

  private String lanes(String arithmetic) {
    return traits.scalar() ? FoldNumerics.scalar(arithmetic) : arithmetic;
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
      text.append(FoldFunctions.bitsOfWord(shape.operands()));
    } else {
      text.append("layout(constant_id = 1) const bool PUBLISHES = false;\n");
      text.append("layout(constant_id = 2) const bool TO_WIRE = false;\n");
      for (int k = 0; k < shape.operands(); k++) {
        text.append("layout(constant_id = %d) const uint KIND_%d = 0;\n".formatted(3 + k, k));
      }
    }
    return text
        + FoldFunctions.kindNames()
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
          even = fold(word, EVENS);
          odd = fold(word, ODDS);
          publishedEven = published(even);
          publishedOdd = published(odd);
      """;

  /** One call only: see {@link KernelTraits#scalar()}. */
  private static final String SCALAR_FOLDS =
      """
          for (uint j = 0u; j < 8u; j++) {
            uint c = j >> 1;
            bool isOdd = (j & 1u) != 0u;
            uint one = fold(word, PICKS);
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
          uint word = folds.at[gl_WorkGroupID.y].word;
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
            LANES one = fold(word, ONES);
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
