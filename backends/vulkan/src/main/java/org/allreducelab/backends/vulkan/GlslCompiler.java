package org.allreducelab.backends.vulkan;

import static org.lwjgl.util.shaderc.Shaderc.*;

import java.nio.ByteBuffer;
import org.allreducelab.backends.BackendException;
import org.lwjgl.Version;

/** Compiles GLSL compute kernels for Vulkan 1.2, through a cache. */
final class GlslCompiler {
  private static final String COMPILER = "shaderc of LWJGL " + Version.getVersion();

  private final SpirvCache cache;

  GlslCompiler(SpirvCache cache) {
    this.cache = cache;
  }

  /**
   * SPIR-V of a kernel with entry point {@code main}.
   *
   * @throws BackendException if it does not compile: a fault of this program
   */
  byte[] compile(String text, String name) {
    String key = SpirvCache.key(text, COMPILER);
    byte[] cached = cache.get(key);
    if (cached != null) {
      return cached;
    }
    byte[] compiled = compileNow(text, name);
    cache.put(key, compiled);
    return compiled;
  }

  private static byte[] compileNow(String text, String name) {
    long compiler = shaderc_compiler_initialize();
    long options = shaderc_compile_options_initialize();
    try {
      shaderc_compile_options_set_target_env(
          options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
      shaderc_compile_options_set_optimization_level(
          options, shaderc_optimization_level_performance);
      long result =
          shaderc_compile_into_spv(
              compiler, text, shaderc_glsl_compute_shader, name, "main", options);
      try {
        if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success) {
          throw new BackendException(
              "kernel " + name + " does not compile: " + shaderc_result_get_error_message(result));
        }
        ByteBuffer bytes = shaderc_result_get_bytes(result);
        byte[] spirv = new byte[bytes == null ? 0 : bytes.remaining()];
        if (bytes != null) {
          bytes.get(spirv);
        }
        return spirv;
      } finally {
        shaderc_result_release(result);
      }
    } finally {
      shaderc_compile_options_release(options);
      shaderc_compiler_release(compiler);
    }
  }
}
