package org.allreducelab.backends.lowering;

import org.jspecify.annotations.Nullable;

/** One value that an interval of a rank's vector has had, from one write to the next. */
final class Version {
  /** How many peers' folds read it, over the whole schedule. */
  int reads;

  /** Whether peers read it from a slot rather than in place. */
  boolean staged;

  /** What the next write makes of it; null if there is none. */
  @Nullable Version next;

  /** The slot it was published to, once it was. */
  @Nullable Slot slot;

  /** Where in the slot's memory it starts, in bytes. */
  long slotOffset;
}
