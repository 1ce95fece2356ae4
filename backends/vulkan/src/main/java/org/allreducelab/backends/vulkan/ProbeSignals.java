package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.device.Closing;
import org.jspecify.annotations.Nullable;

/**
 * A timeline of each side of a pair, and how the other side sees it: imported, or a mirror that a
 * {@link Proxy} signals, as in a group.
 */
final class ProbeSignals implements AutoCloseable {
  private final Timeline writer;
  private final Timeline writerSeenByReader;
  private final Timeline reader;
  private final Timeline readerSeenByWriter;
  private final @Nullable Proxy ofWriter;
  private final @Nullable Proxy ofReader;
  private final Watch writerWatch;
  private final Watch readerWatch;
  private final Closing made;
  private long written;
  private long read;

  ProbeSignals(LogicalDevice from, LogicalDevice to, Sync sync) {
    try (Closing closing = new Closing()) {
      boolean imported = sync == Sync.NATIVE;
      writer = closing.keep(imported ? Timeline.exported(from) : Timeline.plain(from));
      reader = closing.keep(imported ? Timeline.exported(to) : Timeline.plain(to));
      writerSeenByReader =
          closing.keep(imported ? Timeline.imported(to, writer) : Timeline.plain(to));
      readerSeenByWriter =
          closing.keep(imported ? Timeline.imported(from, reader) : Timeline.plain(from));
      writerWatch = closing.keep(new Watch(writer));
      readerWatch = closing.keep(new Watch(reader));
      if (!imported) {
        ofWriter =
            closing.keep(
                new Proxy(
                    0, writer, List.of(writerSeenByReader), Lanes.polls(from), Proxy.ENDLESS));
        ofReader =
            closing.keep(
                new Proxy(1, reader, List.of(readerSeenByWriter), Lanes.polls(to), Proxy.ENDLESS));
      } else {
        ofWriter = null;
        ofReader = null;
      }
      made = closing.handOver();
    }
  }

  /** The writing side signals it. */
  Timeline writer() {
    return writer;
  }

  /** The reading side waits for it. */
  Timeline writerSeenByReader() {
    return writerSeenByReader;
  }

  /** The reading side signals it. */
  Timeline reader() {
    return reader;
  }

  /** The writing side waits for it. */
  Timeline readerSeenByWriter() {
    return readerSeenByWriter;
  }

  /** The value that the writing side is to signal next; what it signalled last is one less. */
  long nextOfWriter() {
    return ++written;
  }

  /** The same for the reading side. */
  long nextOfReader() {
    return ++read;
  }

  /**
   * Has proxies watch for all the values that were asked for: the work is about to be submitted.
   */
  void expect() {
    if (ofWriter != null && ofReader != null) {
      ofWriter.expect(written);
      ofReader.expect(read);
    }
  }

  /** Waits on the host until the writing side has signalled all values, for ever if need be. */
  void awaitWriter() {
    await(writerWatch, written);
  }

  /** The same for the reading side. */
  void awaitReader() {
    await(readerWatch, read);
  }

  private static void await(Watch watch, long value) {
    while (!watch.await(value, Long.MAX_VALUE)) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    made.close();
  }
}
