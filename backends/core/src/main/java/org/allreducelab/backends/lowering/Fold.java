package org.allreducelab.backends.lowering;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code destination[i] = fold of sources[k][i]} for {@code length} elements, left to right under
 * the program's precision, and optionally {@code publish[i] = narrow(destination[i])}.
 *
 * <p>With one source that needs no conversion this is a copy of bytes. Source and destination runs
 * are either the same run or disjoint, so elements may be processed in any order.
 *
 * @param destination where the result goes: RECV, or SLOT for a publish on its own
 * @param publish a slot that gets the result too, in the wire type, or null
 * @param length number of elements, ≥ 1
 * @param sources the operands in fold order, at least one
 */
public record Fold(Region destination, @Nullable Region publish, int length, List<Source> sources) {
  public Fold {
    sources = List.copyOf(sources);
    if (length < 1 || sources.isEmpty()) {
      throw new IllegalArgumentException("a fold needs elements and sources");
    }
  }
}
