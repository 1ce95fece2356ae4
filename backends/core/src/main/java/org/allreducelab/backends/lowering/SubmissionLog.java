package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Submissions in global order, with what each rank knows of the others' progress.
 *
 * <p>{@code clock(r)[q]} counts the submissions of q that are certainly complete when r's next
 * kernel starts; 0 says that q has come to the start of the invocation, {@link #NOTHING} not even
 * that. A wait merges the clock of the submission waited for, so a wait whose fact is already known
 * is left out (transitive reduction), and a kernel that needs no wait joins the rank's last
 * submission.
 */
final class SubmissionLog {
  /** Nothing is known, or required, of a rank's progress in this invocation. */
  static final int NOTHING = -1;

  private final int ranks;
  private final boolean exportsRecv;
  private final int[][] clock;
  private final boolean[] wroteExported;
  private final List<List<Pending>> ofRank = new ArrayList<>();
  private final List<Pending> order = new ArrayList<>();

  /**
   * @param ranks number of ranks
   * @param exportsRecv whether peers of this group may read RECV buffers in place
   */
  SubmissionLog(int ranks, boolean exportsRecv) {
    this.ranks = ranks;
    this.exportsRecv = exportsRecv;
    clock = new int[ranks][];
    wroteExported = new boolean[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      clock[rank] = atStart(rank);
      ofRank.add(new ArrayList<>());
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
    final List<Kernel> kernels = new ArrayList<>();

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
  }

  /** What is known of everybody's progress when {@code rank} starts the invocation. */
  private int[] atStart(int rank) {
    int[] known = new int[ranks];
    Arrays.fill(known, NOTHING);
    known[rank] = 0;
    return known;
  }

  /** Per rank, how many submissions it has so far. */
  int[] progress() {
    return ofRank.stream().mapToInt(List::size).toArray();
  }

  /** What {@code rank} knows of everybody's progress. Live: do not keep. */
  int[] clock(int rank) {
    return clock[rank];
  }

  /**
   * The waits that remain of {@code required} (value per peer, or {@link #NOTHING}), latest first.
   */
  List<Wait> reduce(int rank, int[] required) {
    List<Wait> needed = new ArrayList<>();
    for (int peer = 0; peer < ranks; peer++) {
      if (peer != rank && required[peer] > clock[rank][peer]) {
        needed.add(new Wait(peer, required[peer]));
      }
    }
    needed.sort(Comparator.comparingInt(this::sequence).reversed());
    int[] known = clock[rank].clone();
    List<Wait> waits = new ArrayList<>();
    for (Wait wait : needed) {
      if (known[wait.rank()] < wait.value()) {
        waits.add(wait);
        merge(known, implied(wait));
      }
    }
    return waits;
  }

  private int sequence(Wait wait) {
    return wait.value() == Wait.START ? -1 : ofRank.get(wait.rank()).get(wait.value() - 1).sequence;
  }

  /** What is known of everybody's progress after a wait. */
  private int[] implied(Wait wait) {
    return wait.value() == Wait.START
        ? atStart(wait.rank())
        : ofRank.get(wait.rank()).get(wait.value() - 1).clockWhenDone;
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
    return open(hub, Submission.Kind.RELAY, repetition, round, waits, List.of()).value;
  }

  /** Has the rank know what it will have waited for: its next kernel's waits. */
  void learn(int rank, List<Wait> waits) {
    for (Wait w : waits) {
      merge(clock[rank], implied(w));
    }
  }

  /**
   * Adds a kernel of {@code rank}.
   *
   * @param waits as {@link #reduce} gave them
   * @return the rank's progress when it is done
   */
  int append(int rank, Kernel kernel, List<Wait> waits) {
    learn(rank, waits);
    List<Integer> lateReaders = List.of();
    if (!wroteExported[rank] && writesExported(kernel)) {
      wroteExported[rank] = true;
      lateReaders = unheardOf(rank);
    }
    Pending last = last(rank);
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
    learn(rank, waits);
    int value = ofRank.get(rank).size() + 1;
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
    order.add(opened);
    return opened;
  }

  private @Nullable Pending last(int rank) {
    List<Pending> all = ofRank.get(rank);
    return all.isEmpty() ? null : all.get(all.size() - 1);
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

  private static void merge(int[] into, int[] from) {
    for (int i = 0; i < into.length; i++) {
      into[i] = Math.max(into[i], from[i]);
    }
  }

  List<Submission> submissions() {
    List<Submission> all = new ArrayList<>();
    for (Pending p : order) {
      all.add(
          new Submission(
              p.rank, p.value, p.kind, p.repetition, p.round, p.waits, p.lateReaders, p.kernels));
    }
    return all;
  }
}
