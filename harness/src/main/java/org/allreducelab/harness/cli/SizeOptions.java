package org.allreducelab.harness.cli;

import org.allreducelab.algorithms.Algorithm;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that decide on a vector, its chunks and its arithmetic. A mixin. */
public sealed class SizeOptions permits ScheduleOptions {
  @Option(
      names = "--bytes",
      paramLabel = "LIST",
      converter = Converters.Bytes.class,
      description = "Sizes: 20KiB, a list, or a sweep 8:64MiB:x2.")
  private @Nullable SizeList bytes;

  @Option(
      names = "--count",
      paramLabel = "LIST",
      converter = Converters.Counts.class,
      description = "Sizes in elements instead of bytes.")
  private @Nullable SizeList count;

  @Option(
      names = "--precision",
      paramLabel = "LIST",
      converter = Converters.Precisions.class,
      description = "Preset names, or all (default: bf16).")
  private @Nullable PrecisionList precision;

  @Option(
      names = "--granule",
      paramLabel = "ELEMENTS",
      converter = Converters.AtLeastOne.class,
      description = "Chunk borders are multiples of this many elements (default: 8).")
  private @Nullable Integer granule;

  public PrecisionList precisionsOr(PrecisionList fallback) {
    return precision == null ? fallback : precision;
  }

  /** What was typed of {@code --precision}, or null. */
  public @Nullable PrecisionList typedPrecisions() {
    return precision;
  }

  /**
   * What {@code --bytes} or {@code --count} says, or null.
   *
   * @throws UsageException if both were typed
   */
  public @Nullable SizeList typedSizes() {
    if (bytes != null && count != null) {
      throw new UsageException("--bytes and --count both say the size; leave one of them out");
    }
    return bytes == null ? count : bytes;
  }

  /** The sizes, with a default. */
  public Sizes sizesOr(Sizes fallback) {
    SizeList typed = typedSizes();
    return typed == null ? fallback : typed;
  }

  public int granule() {
    return granule == null ? Algorithm.DEFAULT_GRANULE : granule;
  }
}
