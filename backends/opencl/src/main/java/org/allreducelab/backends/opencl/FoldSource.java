package org.allreducelab.backends.opencl;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.backends.kernels.FoldFunctions;
import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldTable;
import org.allreducelab.backends.kernels.FoldVariant;

/**
 * The OpenCL C 1.2 text of a fold kernel.
 *
 * <p>A dispatch executes several folds: the second dimension selects a record (see {@link
 * FoldTable}) that says where the runs lie. OpenCL has no addresses that could be stored in memory,
 * so a run is an offset into one of the kernel's buffer arguments, whose number is in the top byte.
 * Elements are processed eight at a time with 16-byte accesses where all runs allow it; what lies
 * before and after goes one element at a time.
 *
 * <p>{@link FoldFunctions} are the arithmetic; contraction of additions with other operations is
 * switched off.
 */
final class FoldSource {
  /** The kernel's name. */
  static final String KERNEL = "run_folds";

  /** Where the number of a run's buffer starts in its 64 bits. */
  static final int BUFFER_SHIFT = 56;

  private static final String VOCABULARY =
      """
      #pragma OPENCL FP_CONTRACT OFF
      #define lessThan(a, b) ((a) < (b))
      #define greaterThan(a, b) ((a) > (b))
      #define greaterThanEqual(a, b) ((a) >= (b))
      #define equal(a, b) ((a) == (b))
      #define floatBitsToUint(f) as_uint4(f)
      #define uintBitsToFloat(u) as_float4(u)
      #define findMSB(u) (31u - clz(u))
      """;

  private final FoldVariant variant;
  private final FoldShape shape;
  private final KernelTraits traits;
  private final int buffers;

  private FoldSource(FoldVariant variant, KernelTraits traits, int buffers) {
    this.variant = variant;
    this.shape = variant.shape();
    this.traits = traits;
    this.buffers = buffers;
  }

  /**
   * The text of a variant.
   *
   * @param buffers how many buffer arguments it has
   */
  static String text(FoldVariant variant, KernelTraits traits, int buffers) {
    return new FoldSource(variant, traits, buffers).text();
  }

  private String text() {
    boolean narrows = shape.wire() != shape.element();
    return VOCABULARY
        + FoldFunctions.kindNames()
        + kinds()
        + record()
        + translated(FoldFunctions.of(shape, traits.soft()))
        + accesses("Element", shape.element())
        + (narrows ? accesses("Wire", shape.wire()) : "")
        + kindAccesses()
        + kernel();
  }

  /** The vocabulary's types, constructors and mix; what else differs are macros. */
  private static String translated(String text) {
    return text.replace("uvec4(", "(uint4)(")
        .replace("uvec4", "uint4")
        .replace("bvec4", "int4")
        .replace("precise vec4", "float4")
        .replace("vec4(", "convert_float4(")
        .replace("mix(", "select(");
  }

  private String kinds() {
    if (traits.readsWord(shape)) {
      return FoldFunctions.bitsOfWord(shape.operands());
    }
    StringBuilder text = new StringBuilder();
    text.append("#define PUBLISHES ").append(variant.publishes() ? 1 : 0).append('\n');
    text.append("#define TO_WIRE ").append(variant.toWire() ? 1 : 0).append('\n');
    for (int k = 0; k < shape.operands(); k++) {
      text.append("#define KIND_%d %s\n".formatted(k, variant.kinds().get(k).name()));
    }
    return text.toString();
  }

  private String record() {
    return """
        typedef struct {
          ulong destination;
          ulong publish;
          uint elements;
          uint head;
          uint blocks;
          uint word;
          ulong source[%d];
        } Fold;
        """
        .formatted(shape.operands());
  }

  private static String accesses(String name, ElementType type) {
    return (type.bytes() == 2
            ? """
              void loadNAME(global uchar *run, uint head, uint block, uint4 *even, uint4 *odd) {
                uint4 words = ((global uint4 *)(run + 2u * head))[block];
                *even = words & 0xffffu;
                *odd = words >> 16;
              }
              void storeNAME(global uchar *run, uint head, uint block, uint4 even, uint4 odd) {
                ((global uint4 *)(run + 2u * head))[block] = even | (odd << 16);
              }
              uint loadOneNAME(global uchar *run, uint i) { return ((global ushort *)run)[i]; }
              void storeOneNAME(global uchar *run, uint i, uint bits) {
                ((global ushort *)run)[i] = (ushort)bits;
              }
              """
            : """
              void loadNAME(global uchar *run, uint head, uint block, uint4 *even, uint4 *odd) {
                global uint4 *from = (global uint4 *)(run + 4u * head) + 2 * (size_t)block;
                uint4 low = from[0];
                uint4 high = from[1];
                *even = (uint4)(low.xz, high.xz);
                *odd = (uint4)(low.yw, high.yw);
              }
              void storeNAME(global uchar *run, uint head, uint block, uint4 even, uint4 odd) {
                global uint4 *to = (global uint4 *)(run + 4u * head) + 2 * (size_t)block;
                to[0] = (uint4)(even.x, odd.x, even.y, odd.y);
                to[1] = (uint4)(even.z, odd.z, even.w, odd.w);
              }
              uint loadOneNAME(global uchar *run, uint i) { return ((global uint *)run)[i]; }
              void storeOneNAME(global uchar *run, uint i, uint bits) {
                ((global uint *)run)[i] = bits;
              }
              """)
        .replace("NAME", name);
  }

  private String kindAccesses() {
    return """
        void load(uint kind, global uchar *run, uint head, uint block, uint4 *even, uint4 *odd) {
          *even = (uint4)(0u);
          *odd = (uint4)(0u);
          if (kind == WIRE) {
            load%1$s(run, head, block, even, odd);
          } else if (kind != NEGATIVE_ZERO) {
            loadElement(run, head, block, even, odd);
          }
        }
        uint loadOne(uint kind, global uchar *run, uint i) {
          if (kind == NEGATIVE_ZERO) { return 0u; }
          return kind == WIRE ? loadOne%1$s(run, i) : loadOneElement(run, i);
        }
        """
        .formatted(wireName());
  }

  private String wireName() {
    return shape.wire() == shape.element() ? "Element" : "Wire";
  }

  private String kernel() {
    String blocks =
        traits.chunked()
            ? """
                uint share = (blocks + threads - 1u) / threads;
                uint end = min(blocks, (thread + 1u) * share);
                for (uint b = thread * share; b < end; b++) {
              """
            : """
                for (uint b = thread; b < blocks; b += threads) {
              """;
    return """
        kernel void run_folds(global const uchar *table, ulong first, BUFFERS) {
          global const Fold *fold_record =
              (global const Fold *)(table + first) + get_global_id(1);
          uint word = fold_record->word;
          uint head = fold_record->head;
          uint blocks = fold_record->blocks;
          uint singles = fold_record->elements - 8u * blocks;
        POINTERS
          uint thread = get_global_id(0);
          uint threads = get_global_size(0);
        BLOCKS
            uint4 EVENS, ODDS;
        LOADS
            uint4 even = fold(word, EVENS);
            uint4 odd = fold(word, ODDS);
            if (TO_WIRE) {
              storeWIRE(destination, head, b, even, odd);
            } else {
              storeElement(destination, head, b, even, odd);
            }
            if (PUBLISHES) {
              storeWIRE(publish, head, b, published(even), published(odd));
            }
          }
          for (uint s = thread; s < singles; s += threads) {
            uint i = s < head ? s : s + 8u * blocks;
            uint4 one = fold(word, ONES);
            if (TO_WIRE) {
              storeOneWIRE(destination, i, one.x);
            } else {
              storeOneElement(destination, i, one.x);
            }
            if (PUBLISHES) {
              storeOneWIRE(publish, i, published(one).x);
            }
          }
        }
        """
        .replace("WIRE(", wireName() + "(")
        .replace("BUFFERS", items(buffers, "global uchar *b%1$d", ", "))
        .replace("POINTERS", pointers())
        .replace("BLOCKS\n", blocks)
        .replace("LOADS", list("    load(KIND_%1$d, source%1$d, head, b, &e%1$d, &o%1$d);", "\n"))
        .replace("EVENS", list("e%1$d", ", "))
        .replace("ODDS", list("o%1$d", ", "))
        .replace("ONES", list("(uint4)(loadOne(KIND_%1$d, source%1$d, i))", ", "));
  }

  /** Per run: its record, from which buffer and offset follow. */
  private String pointers() {
    StringBuilder text = new StringBuilder();
    pointer(text, "destination", "destination");
    pointer(text, "publish", "publish");
    for (int k = 0; k < shape.operands(); k++) {
      pointer(text, "source" + k, "source[" + k + "]");
    }
    return text.toString();
  }

  private void pointer(StringBuilder text, String name, String field) {
    text.append("  ulong %s_run = fold_record->%s;\n".formatted(name, field));
    text.append("  uint %1$s_buffer = (uint)(%1$s_run >> %2$d);\n".formatted(name, BUFFER_SHIFT));
    text.append("  global uchar *").append(name).append(" = ");
    for (int i = 0; i < buffers - 1; i++) {
      text.append("%s_buffer == %du ? b%d : ".formatted(name, i, i));
    }
    text.append(
        "b%d;\n  %s += %s_run & 0x00ffffffffffffffUL;\n".formatted(buffers - 1, name, name));
  }

  private String list(String each, String separator) {
    return items(shape.operands(), each, separator);
  }

  private static String items(int count, String each, String separator) {
    return IntStream.range(0, count)
        .mapToObj(k -> each.formatted(k))
        .collect(Collectors.joining(separator));
  }
}
