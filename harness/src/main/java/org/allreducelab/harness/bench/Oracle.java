package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.Verification;

/**
 * Knows which bytes must come out of one all-reduce, and compares a group's RECV buffers with them.
 *
 * <p>Up to 16 MiB per rank every byte is compared with the simulator's. Above, simulating all would
 * take longer than measuring, so these are compared: windows around every chunk border of the
 * schedule, seeded windows elsewhere, and a checksum of every rank's whole vector, which must be
 * the same in every check and, where the precision makes ranks agree, the same for all ranks.
 */
public final class Oracle {
  private static final long FULL_LIMIT_BYTES = 16L << 20;
  private static final int BORDER_ELEMENTS = 16;
  private static final int SEEDED_WINDOWS = 16;
  private static final int SEEDED_ELEMENTS = 4096;
  private static final int READ_BYTES = 1 << 20;

  private final Schedule schedule;
  private final Precision precision;
  private final boolean windowed;
  private final List<Expected> expected = new ArrayList<>();
  private long[] checksums = {};

  /** The bytes of every rank in one window. */
  private static final class Expected {
    private final Span window;
    private final byte[][] bytesOfRank;

    Expected(Span window, byte[][] bytesOfRank) {
      this.window = window;
      this.bytesOfRank = bytesOfRank;
    }
  }

  public Oracle(Schedule schedule, Precision precision, byte[][] inputs, long seed) {
    this(schedule, precision, inputs, seed, FULL_LIMIT_BYTES);
  }

  /**
   * @param fullLimitBytes vectors of more bytes are compared in windows
   */
  Oracle(Schedule schedule, Precision precision, byte[][] inputs, long seed, long fullLimitBytes) {
    this.schedule = schedule;
    this.precision = precision;
    long bytes = (long) schedule.count() * precision.element().bytes();
    this.windowed = bytes > fullLimitBytes;
    ReferenceSimulator simulator = new ReferenceSimulator(schedule, precision);
    List<Span> windows =
        windowed ? windows(schedule, seed) : List.of(new Span(0, schedule.count()));
    for (Span window : windows) {
      expected.add(new Expected(window, simulator.run(inputs, window)));
    }
  }

  /**
   * Compares RECV buffers with what must be there.
   *
   * @param ranks local ranks of the group that have a result
   */
  public Verification check(Group group, List<Integer> ranks) {
    long checked = 0;
    long wrong = 0;
    int width = precision.element().bytes();
    for (Expected e : expected) {
      byte[] actual = new byte[e.window.length() * width];
      for (int rank : ranks) {
        group.read(rank, DataBuffer.RECV, (long) e.window.offset() * width, actual);
        checked += e.window.length();
        wrong += differing(e.bytesOfRank[rank], actual, width);
      }
    }
    if (windowed) {
      wrong = Math.min(checked, wrong + wrongChecksums(group, ranks));
    }
    return new Verification(wrong == 0 ? Verdict.EXACT : Verdict.WRONG, checked, wrong, windowed);
  }

  private static long differing(byte[] expected, byte[] actual, int width) {
    if (Arrays.equals(expected, actual)) {
      return 0;
    }
    long differing = 0;
    for (int at = 0; at < expected.length; at += width) {
      if (!Arrays.equals(expected, at, at + width, actual, at, at + width)) {
        differing++;
      }
    }
    return differing;
  }

  /** Ranks whose checksum is not what it must be: each has at least one wrong element. */
  private long wrongChecksums(Group group, List<Integer> ranks) {
    long[] now = new long[ranks.size()];
    for (int i = 0; i < now.length; i++) {
      now[i] = checksum(group, ranks.get(i));
    }
    if (checksums.length == 0) {
      checksums = now;
    }
    long wrong = 0;
    for (int i = 0; i < now.length; i++) {
      if (now[i] != checksums[i] || (ranksAgree() && now[i] != now[0])) {
        wrong++;
      }
    }
    return wrong;
  }

  private boolean ranksAgree() {
    return precision.ownOperand() == OwnOperand.WIRE || !precision.narrowsWire(schedule.count());
  }

  private long checksum(Group group, int rank) {
    CRC32C crc = new CRC32C();
    long bytes = (long) schedule.count() * precision.element().bytes();
    for (long at = 0; at < bytes; at += READ_BYTES) {
      byte[] chunk = new byte[(int) Math.min(READ_BYTES, bytes - at)];
      group.read(rank, DataBuffer.RECV, at, chunk);
      crc.update(chunk);
    }
    return crc.getValue();
  }

  /** Windows in ascending order that do not overlap. */
  private static List<Span> windows(Schedule schedule, long seed) {
    int count = schedule.count();
    List<Span> wanted = new ArrayList<>();
    for (int border : borders(schedule)) {
      wanted.add(
          Span.between(
              Math.max(0, border - BORDER_ELEMENTS), Math.min(count, border + BORDER_ELEMENTS)));
    }
    Random random = new Random(seed);
    for (int i = 0; i < SEEDED_WINDOWS; i++) {
      int from = random.nextInt(Math.max(1, count - SEEDED_ELEMENTS));
      wanted.add(Span.between(from, Math.min(count, from + SEEDED_ELEMENTS)));
    }
    wanted.sort((a, b) -> Integer.compare(a.offset(), b.offset()));
    List<Span> merged = new ArrayList<>();
    for (Span w : wanted) {
      int last = merged.size() - 1;
      if (last >= 0 && w.offset() <= merged.get(last).end()) {
        Span before = merged.get(last);
        merged.set(last, Span.between(before.offset(), Math.max(before.end(), w.end())));
      } else {
        merged.add(w);
      }
    }
    return merged;
  }

  private static Set<Integer> borders(Schedule schedule) {
    Set<Integer> borders = new TreeSet<>(List.of(0, schedule.count()));
    for (Round round : schedule.rounds()) {
      for (Combine combine : round.combines()) {
        borders.add(combine.span().offset());
        borders.add(combine.span().end());
      }
    }
    return borders;
  }
}
