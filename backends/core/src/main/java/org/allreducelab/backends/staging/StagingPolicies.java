package org.allreducelab.backends.staging;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All staging policies by name; a parameter follows a colon: {@code shrink:8}, {@code fixed:64KiB}.
 */
public final class StagingPolicies {
  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("grow-only", "", GrowOnly::new, null),
          new Entry(
              "shrink", "[:FACTOR]", Shrink::new, t -> new Shrink(PolicyText.number("shrink", t))),
          new Entry(
              "shrink-after",
              "[:CALLS]",
              ShrinkAfter::new,
              t -> new ShrinkAfter(PolicyText.number("shrink-after", t))),
          new Entry("size-classes", "", SizeClasses::new, null),
          new Entry("split", "[:SIZE]", Split::new, t -> new Split(PolicyText.size("split", t))),
          new Entry("fixed", "[:SIZE]", Fixed::new, t -> new Fixed(PolicyText.size("fixed", t))));

  private StagingPolicies() {}

  /** Every policy with its default parameter. */
  public static List<StagingPolicy> all() {
    return ENTRIES.stream().map(entry -> entry.byDefault().get()).toList();
  }

  /**
   * The policy that {@code text} names.
   *
   * @param text {@code name} or {@code name:parameter}
   * @throws IllegalArgumentException if there is none of that name, or its parameter is wrong; the
   *     message lists the known names
   */
  public static StagingPolicy named(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    for (Entry entry : ENTRIES) {
      if (entry.name().equals(name)) {
        return colon < 0 ? entry.byDefault().get() : entry.with(text.substring(colon + 1));
      }
    }
    throw new IllegalArgumentException(
        "unknown staging policy '"
            + text
            + "'; known: "
            + ENTRIES.stream()
                .map(e -> e.name() + e.parameter())
                .collect(Collectors.joining(", ")));
  }

  private record Entry(
      String name,
      String parameter,
      Supplier<StagingPolicy> byDefault,
      @Nullable Function<String, StagingPolicy> parameterised) {

    StagingPolicy with(String value) {
      Function<String, StagingPolicy> factory = parameterised;
      if (factory == null) {
        throw new IllegalArgumentException(
            name + " takes no parameter; write " + name + " alone, not " + name + ":" + value);
      }
      return factory.apply(value);
    }
  }
}
