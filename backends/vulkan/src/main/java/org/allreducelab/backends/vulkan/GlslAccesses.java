package org.allreducelab.backends.vulkan;

import org.allreducelab.algorithms.numerics.ElementType;

/** How kernels reach memory, as GLSL: runs of elements that start at any element. */
final class GlslAccesses {
  private GlslAccesses() {}

  /** Sixteen bytes at a time, as two words where the device is faster with those. */
  static String vectors(boolean wideWords) {
    return wideWords
        ? """
          #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
          layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vectors {
            u64vec2 at[];
          };
          uvec4 read(Vectors from, uint i) {
            u64vec2 words = from.at[i];
            return uvec4(unpackUint2x32(words.x), unpackUint2x32(words.y));
          }
          void write(Vectors to, uint i, uvec4 v) {
            to.at[i] = u64vec2(packUint2x32(v.xy), packUint2x32(v.zw));
          }
          """
        : """
          layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vectors {
            uvec4 at[];
          };
          uvec4 read(Vectors from, uint i) {
            return from.at[i];
          }
          void write(Vectors to, uint i, uvec4 v) {
            to.at[i] = v;
          }
          """;
  }

  /** Loads and stores of one type: blocks of eight as even and odd elements, and single ones. */
  static String of(String name, ElementType type) {
    return (type.bytes() == 2
            ? """
              void loadNAME(uvec2 run, uint head, uint block, out uvec4 even, out uvec4 odd) {
                Vectors from = Vectors(uvec2(run.x & ~15u, run.y));
                uvec4 words = read(from, (((run.x & 15u) + 2u * head) >> 4) + block);
                even = words & 0xffffu;
                odd = words >> 16;
              }
              void storeNAME(uvec2 run, uint head, uint block, uvec4 even, uvec4 odd) {
                Vectors to = Vectors(uvec2(run.x & ~15u, run.y));
                write(to, (((run.x & 15u) + 2u * head) >> 4) + block, even | (odd << 16));
              }
              uint loadOneNAME(uvec2 run, uint i) {
                uint at = ((run.x & 3u) >> 1) + i;
                return (Words(uvec2(run.x & ~3u, run.y)).at[at >> 1] >> ((at & 1u) << 4)) & 0xffffu;
              }
              void storeOneNAME(uvec2 run, uint i, uint bits) {
                uint at = ((run.x & 3u) >> 1) + i;
                Words to = Words(uvec2(run.x & ~3u, run.y));
                uint shift = (at & 1u) << 4;
                atomicAnd(to.at[at >> 1], ~(0xffffu << shift));
                atomicOr(to.at[at >> 1], bits << shift);
              }
              """
            : """
              void loadNAME(uvec2 run, uint head, uint block, out uvec4 even, out uvec4 odd) {
                Vectors from = Vectors(uvec2(run.x & ~15u, run.y));
                uint at = (((run.x & 15u) + 4u * head) >> 4) + 2u * block;
                uvec4 low = read(from, at);
                uvec4 high = read(from, at + 1u);
                even = uvec4(low.xz, high.xz);
                odd = uvec4(low.yw, high.yw);
              }
              void storeNAME(uvec2 run, uint head, uint block, uvec4 even, uvec4 odd) {
                Vectors to = Vectors(uvec2(run.x & ~15u, run.y));
                uint at = (((run.x & 15u) + 4u * head) >> 4) + 2u * block;
                write(to, at, uvec4(even.x, odd.x, even.y, odd.y));
                write(to, at + 1u, uvec4(even.z, odd.z, even.w, odd.w));
              }
              uint loadOneNAME(uvec2 run, uint i) {
                return Words(run).at[i];
              }
              void storeOneNAME(uvec2 run, uint i, uint bits) {
                Words(run).at[i] = bits;
              }
              """)
        .replace("NAME", name);
  }
}
