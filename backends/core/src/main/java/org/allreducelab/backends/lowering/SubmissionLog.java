package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Submissions in global order, with what each rank knows of the others' progress.
 *
 * <p>{@code clock(r)[q]} counts the submissions of q that are certainly complete when r's next
 * kernel starts; 0 says that q has come to the start of the invocation, {@link #NOTHING} not even
 * that. A wait merges the clock of the submission waited for, so a wait whose fact is already known
 * is left out (transitive reduction), and a kernel that needs no wait joins the rank's last
 * submission.
 *
 * <p>Clocks are closed: who knows of a submission knows all that was known when it was done. So
 * what every rank knows of is never waited for again, and the log can let go of it ({@link
 * #forgetWhatAllKnow}).
 */
final class SubmissionLog {
  /** Nothing is known, or required, of a rank's progress in this invocation. */
  static final int NOTHING = -1;

  private final Comparator<Wait> latestFirst = Comparator.comparingInt(this::sequence).reversed();
  private final int ranks;
  private final boolean exportsRecv;
  private final int[][] clock;
  private final boolean[] wroteExported;

  /** What a rank would know after some of its waits; in use while they are reduced. */
  private final int[] known;

  private final List<RankLog> ofRank = new ArrayList<>();

  /** In global order; null where kernels may still be added. */
  private final List<@Nullable Submission> order = new ArrayList<>();

  /**
   * @param ranks number of ranks
   * @param exportsRecv whether peers of this group may read RECV buffers in place
   */
  SubmissionLog(int ranks, boolean exportsRecv) {
    this.ranks = ranks;
    this.exportsRecv = exportsRecv;
    clock = new int[ranks][];
    wroteExported = new boolean[ranks];
    known = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      clock[rank] = new int[ranks];
      Arrays.fill(clock[rank], NOTHING);
      clock[rank][rank] = 0;
      ofRank.add(new RankLog());
    }
  }

  private static final class Pending {
    final int rank;
    final int value;
    final int sequence;
    final Submission.Kind kind;
    final int repetition;
    final int round;
    final List<Wait> waits;
    final List<Integer> lateReaders;
    final int[] clockWhenDone;
    final List<Kernel> kernels = new ArrayList<>(1);

    Pending(
        int rank,
        int value,
        int sequence,
        Submission.Kind kind,
        int repetition,
        int round,
        List<Wait> waits,
        List<Integer> lateReaders,
        int[] clockWhenDone) {
      this.rank = rank;
      this.value = value;
      this.sequence = sequence;
      this.kind = kind;
      this.repetition = repetition;
      this.round = round;
      this.waits = waits;
      this.lateReaders = lateReaders;
      this.clockWhenDone = clockWhenDone;
    }

    Submission done() {
      return new Submission(rank, value, kind, repetition, round, waits, lateReaders, kernels);
    }
  }

  /** One rank's submissions, but for the first ones that were forgotten. */
  private static final class RankLog {
    private final List<Pending> kept = new ArrayList<>();
    private int forgotten;

    /** The rank's progress when they are done. */
    int progress() {
      return forgotten + kept.size();
    }

    void add(Pending opened) {
      kept.add(opened);
    }

    Pending get(int value) {
      return kept.get(value - 1 - forgotten);
    }

    @Nullable Pending last() {
      return kept.isEmpty() ? null : kept.get(kept.size() - 1);
    }

    void forgetUpTo(int value) {
      int more = Math.max(0, value - forgotten);
      kept.subList(0, more).clear();
      forgotten += more;
    }
  }

  /** Per rank, how many submissions it has so far. */
  int[] progress() {
    return ofRank.stream().mapToInt(RankLog::progress).toArray();
  }

  /** What {@code rank} knows of everybody's progress. Live: do not keep. */
  int[] clock(int rank) {
    return clock[rank];
  }

  /**
   * The waits that remain of {@code required} (value per peer, or {@link #NOTHING}), latest first.
   */
  List<Wait> reduce(int rank, int[] required) {
    List<Wait> needed = new ArrayList<>(2);
    for (int peer = 0; peer < ranks; peer++) {
      if (peer != rank && required[peer] > clock[rank][peer]) {
        needed.add(new Wait(peer, required[peer]));
      }
    }
    if (needed.size() < 2) {
      return needed;
    }
    needed.sort(latestFirst);
    System.arraycopy(clock[rank], 0, known, 0, ranks);
    List<Wait> waits = new ArrayList<>(2);
    for (Wait wait : needed) {
      if (known[wait.rank()] < wait.value()) {
        waits.add(wait);
        merge(known, wait);
      }
    }
    return waits;
  }

  private int sequence(Wait wait) {
    return wait.value() == Wait.START ? -1 : ofRank.get(wait.rank()).get(wait.value()).sequence;
  }

  /** Adds what is known of everybody's progress after a wait. */
  private void merge(int[] into, Wait wait) {
    if (into[wait.rank()] >= wait.value()) {
      return;
    }
    if (wait.value() == Wait.START) {
      into[wait.rank()] = Wait.START;
      return;
    }
    int[] from = ofRank.get(wait.rank()).get(wait.value()).clockWhenDone;
    for (int i = 0; i < into.length; i++) {
      into[i] = Math.max(into[i], from[i]);
    }
  }

  /**
   * Has {@code hub} wait for everything that anybody requires; afterwards one wait for the hub is
   * enough for each rank.
   *
   * @return the hub's progress after it
   */
  int relay(int hub, int repetition, int round, int[][] required) {
    int[] all = new int[ranks];
    Arrays.fill(all, NOTHING);
    for (int[] ofOne : required) {
      for (int peer = 0; peer < ranks; peer++) {
        all[peer] = Math.max(all[peer], ofOne[peer]);
      }
    }
    List<Wait> waits = reduce(hub, all);
    learn(hub, waits);
    return open(hub, Submission.Kind.RELAY, repetition, round, waits, List.of()).value;
  }

  /** Has the rank know what it will have waited for: its next kernel's waits. */
  void learn(int rank, List<Wait> waits) {
    for (Wait w : waits) {
      merge(clock[rank], w);
    }
  }

  /**
   * Adds a kernel of {@code rank}.
   *
   * @param waits what it waits for, and {@link #learn has learnt}
   * @return the rank's progress when it is done
   */
  int append(int rank, Kernel kernel, List<Wait> waits) {
    List<Integer> lateReaders = List.of();
    if (!wroteExported[rank] && writesExported(kernel)) {
      wroteExported[rank] = true;
      lateReaders = unheardOf(rank);
    }
    Pending last = ofRank.get(rank).last();
    if (last == null
        || last.kind != Submission.Kind.WORK
        || !waits.isEmpty()
        || !lateReaders.isEmpty()) {
      last =
          open(rank, Submission.Kind.WORK, kernel.repetition(), kernel.round(), waits, lateReaders);
    }
    last.kernels.add(kernel);
    return last.value;
  }

  private Pending open(
      int rank,
      Submission.Kind kind,
      int repetition,
      int round,
      List<Wait> waits,
      List<Integer> lateReaders) {
    close(ofRank.get(rank).last());
    int value = ofRank.get(rank).progress() + 1;
    clock[rank][rank] = value;
    Pending opened =
        new Pending(
            rank,
            value,
            order.size(),
            kind,
            repetition,
            round,
            waits,
            lateReaders,
            clock[rank].clone());
    ofRank.get(rank).add(opened);
    order.add(null);
    return opened;
  }

  /** Nothing is added to it any more. */
  private void close(@Nullable Pending opened) {
    if (opened != null) {
      order.set(opened.sequence, opened.done());
    }
  }

  /**
   * Peers of whose progress in this invocation the rank knows nothing yet. Any other peer has begun
   * this invocation, and so finished its reads of earlier ones.
   */
  private List<Integer> unheardOf(int rank) {
    List<Integer> peers = new ArrayList<>();
    for (int peer = 0; peer < ranks; peer++) {
      if (peer != rank && clock[rank][peer] == NOTHING) {
        peers.add(peer);
      }
    }
    return peers;
  }

  private boolean writesExported(Kernel kernel) {
    for (Fold fold : kernel.folds()) {
      if (exportsRecv || fold.publish() != null || fold.destination().space() == Space.SLOT) {
        return true;
      }
    }
    return false;
  }

  /**
   * Lets go of the submissions that every rank knows of, so that the log of many repetitions does
   * not grow. A rank's last one stays: kernels may join it.
   */
  void forgetWhatAllKnow() {
    for (int rank = 0; rank < ranks; rank++) {
      RankLog own = ofRank.get(rank);
      int knownToAll = own.progress() - 1;
      for (int[] ofOne : clock) {
        knownToAll = Math.min(knownToAll, ofOne[rank]);
      }
      own.forgetUpTo(knownToAll);
    }
  }

  /** All of them; nothing is added any more. */
  List<Submission> submissions() {
    ofRank.forEach(own -> close(own.last()));
    return order.stream().map(Objects::requireNonNull).toList();
  }
}
