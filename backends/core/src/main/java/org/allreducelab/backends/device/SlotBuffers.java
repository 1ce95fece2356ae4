package org.allreducelab.backends.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/**
 * The staging buffers of a group's ranks, and which of them recordings are made with.
 *
 * @param <B> a buffer of the backend
 */
public final class SlotBuffers<B> {
  private final List<Map<Integer, B>> ofRank = new ArrayList<>();
  private final int[] picked;

  public SlotBuffers(int ranks) {
    picked = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      ofRank.add(new TreeMap<>());
    }
  }

  /** A rank has a buffer of that number from now on. */
  public void put(int rank, int buffer, B made) {
    ofRank.get(rank).put(buffer, made);
  }

  /** Takes a rank's buffer out; null if it has none of that number. */
  public @Nullable B remove(int rank, int buffer) {
    return ofRank.get(rank).remove(buffer);
  }

  /** Takes all buffers of a rank out. */
  public List<B> removeAll(int rank) {
    List<B> all = List.copyOf(ofRank.get(rank).values());
    ofRank.get(rank).clear();
    return all;
  }

  /** From now on slots lie in these buffers. */
  public void pick(StagingUse use) {
    for (int rank = 0; rank < picked.length; rank++) {
      picked[rank] = use.buffer(rank);
    }
  }

  /** The buffer that a rank's slots lie in, or null while it has none. */
  public @Nullable B present(int rank) {
    return ofRank.get(rank).get(picked[rank]);
  }
}
