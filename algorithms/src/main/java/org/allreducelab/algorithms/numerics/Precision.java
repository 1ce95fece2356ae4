package org.allreducelab.algorithms.numerics;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The arithmetic of an all-reduce: part of the key of a result, so two runs under one precision and
 * one schedule have the same bytes on every device.
 *
 * @param name what users type, for instance {@code bf16-f32acc}
 * @param element type of the user's buffers
 * @param wire type that crosses between ranks
 * @param narrowing how a value becomes the wire type
 * @param accumulate in which type one combine folds
 * @param ownOperand whether a rank's own operand passes the wire type
 * @param wideBelowCount vectors of fewer elements than this cross the wire in the element type; 0
 *     for none
 * @param maxRanks the most ranks this precision is defined for
 */
public record Precision(
    String name,
    ElementType element,
    ElementType wire,
    Narrowing narrowing,
    Accumulate accumulate,
    OwnOperand ownOperand,
    int wideBelowCount,
    int maxRanks) {

  /** bf16 throughout, rounded after each add: what NCCL's ring and tree do. */
  public static final Precision BF16 =
      new Precision(
          "bf16",
          ElementType.BF16,
          ElementType.BF16,
          Narrowing.RNE,
          Accumulate.EACH_ADD,
          OwnOperand.WIRE,
          0,
          Integer.MAX_VALUE);

  /** bf16 values folded in f32, rounded once per combine: one-shot kernels of serving engines. */
  public static final Precision BF16_F32ACC =
      new Precision(
          "bf16-f32acc",
          ElementType.BF16,
          ElementType.BF16,
          Narrowing.RNE,
          Accumulate.F32,
          OwnOperand.WIRE,
          0,
          Integer.MAX_VALUE);

  /** f32 throughout. */
  public static final Precision F32 =
      new Precision(
          "f32",
          ElementType.F32,
          ElementType.F32,
          Narrowing.RNE,
          Accumulate.F32,
          OwnOperand.WIRE,
          0,
          Integer.MAX_VALUE);

  /** f32 values that cross the wire as bf16, the owner's chunk too: ranks agree. */
  public static final Precision F32_BF16WIRE =
      new Precision(
          "f32-bf16wire",
          ElementType.F32,
          ElementType.BF16,
          Narrowing.RNE,
          Accumulate.F32,
          OwnOperand.WIRE,
          0,
          Integer.MAX_VALUE);

  /** Two ranks, the peer's value truncated to bf16 from 32768 elements on: ranks differ. */
  public static final Precision SYCL_TRUNCATING =
      new Precision(
          "sycl-truncating",
          ElementType.F32,
          ElementType.BF16,
          Narrowing.TRUNCATE,
          Accumulate.F32,
          OwnOperand.EXACT,
          32768,
          2);

  /** f16 on the wire from 2 MiB on, the chunk's owner keeps f32: ranks differ. */
  public static final Precision VULKAN_F16WIRE =
      new Precision(
          "vulkan-f16wire",
          ElementType.F32,
          ElementType.F16,
          Narrowing.RNE,
          Accumulate.F32,
          OwnOperand.EXACT,
          524288,
          Integer.MAX_VALUE);

  private static final List<Precision> PRESETS =
      List.of(BF16, BF16_F32ACC, F32, F32_BF16WIRE, SYCL_TRUNCATING, VULKAN_F16WIRE);

  /**
   * @throws IllegalArgumentException if the wire is wider than the element, or a limit is negative
   */
  public Precision {
    if (wire.bytes() > element.bytes() || (wire != element && element != ElementType.F32)) {
      throw new IllegalArgumentException(
          name + ": a wire type must equal the element type or be narrower than f32");
    }
    if (wideBelowCount < 0 || maxRanks < 1) {
      throw new IllegalArgumentException(name + ": limits must be positive");
    }
  }

  /** The presets that real engines use, {@code bf16} (the default) first. */
  public static List<Precision> presets() {
    return PRESETS;
  }

  /**
   * The preset of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists the known ones
   */
  public static Precision preset(String name) {
    return PRESETS.stream()
        .filter(p -> p.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown precision '"
                        + name
                        + "'; known: "
                        + PRESETS.stream().map(Precision::name).collect(Collectors.joining(", "))));
  }

  /** Whether this precision is defined for that many ranks. */
  public boolean supportsRanks(int ranks) {
    return ranks <= maxRanks;
  }

  /** The type that crosses between ranks for a vector of {@code count} elements. */
  public ElementType wireFor(int count) {
    return count < wideBelowCount ? element : wire;
  }

  /** Whether values lose bits on the wire for a vector of {@code count} elements. */
  public boolean narrowsWire(int count) {
    return wireFor(count) != element;
  }
}
