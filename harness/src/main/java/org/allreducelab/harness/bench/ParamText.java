package org.allreducelab.harness.bench;

import java.util.Map;
import java.util.function.Function;
import org.allreducelab.results.Tag;

/**
 * Names as JMH parameter values. Those keep to the alphabet of {@link Tag}, so what users type with
 * colons, commas, slashes and equals signs is spelt otherwise: {@code vulkan:0,vulkan:1} is {@code
 * vulkan.0_vulkan.1}, {@code opencl:0/1} is {@code opencl.0__1}, {@code ring:a=b} is {@code
 * ring.a..b}. Neither device ids nor algorithm names have dots or underscores of their own, and no
 * list has an empty entry.
 */
public final class ParamText {
  private ParamText() {}

  /**
   * A name as a parameter value.
   *
   * @throws IllegalArgumentException if the name has other characters
   */
  public static String encode(String name) {
    if (name.contains(".") || name.contains("_")) {
      throw new IllegalArgumentException("'" + name + "' may hold no dot and no underscore");
    }
    return Tag.require(
        "parameter",
        name.replace("=", "..").replace(":", ".").replace("/", "__").replace(",", "_"));
  }

  /**
   * Looks values up by the parameters' names.
   *
   * @return throws {@link IllegalArgumentException} for a parameter that is not there
   */
  public static Function<String, String> of(Map<String, String> params) {
    return name -> {
      String value = params.get(name);
      if (value == null) {
        throw new IllegalArgumentException("parameter '" + name + "' is missing");
      }
      return value;
    };
  }

  /** The name that a parameter value came from. */
  public static String decode(String value) {
    return value.replace("..", "=").replace(".", ":").replace("__", "/").replace("_", ",");
  }
}
