package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Transport;

/**
 * Turns a schedule into a {@link Program}: kernels, the slots that values are staged in, and the
 * waits between ranks.
 *
 * <ul>
 *   <li>With {@link Transport#STAGED_HOST} every value that a peer reads is published to a slot of
 *       its owner. With {@link Transport#DIRECT} only those are that the wire narrows, or that
 *       their owner overwrites while a peer reads them.
 *   <li>A fold publishes its own result (one kernel); only initial values need a publish of their
 *       own. A rank publishes what the first round needs at the start, and what another round needs
 *       along with the fold of the round before it: a link then carries both directions at once.
 *   <li>Waits come from hazards over regions: a read waits for the write it reads, a write to RECV
 *       for the peers that still read the old value; slots are reused only when that needs no wait.
 *       What is implied by other waits is left out.
 *   <li>A read of an initial value in place waits for {@link Wait#START}: for what the owner was
 *       given to do before this invocation, among it whoever produced the value.
 *   <li>An inactive rank's initial value is the constant −0, which nobody reads from memory.
 *   <li>Repetitions follow each other as invocations do, with each rank's inputs as if made anew
 *       from what it has done so far: published again, and read in place only after that. But slots
 *       are known to be free across them, and a publish that needs no wait joins the submission
 *       that ends the repetition before.
 * </ul>
 *
 * <p>Submissions come in one global order, round by round: first all ranks' publishes, then all
 * ranks' folds. Every wait refers to something before it in that order, so queues may be shared.
 */
public final class Lowering {
  /** The rank that relays when {@link Barrier#RELAY} is asked for. */
  private static final int HUB = 0;

  private final Schedule schedule;
  private final Precision precision;
  private final Barrier barrier;
  private final int ranks;
  private final RankValues values;
  private final SubmissionLog log;
  private final FoldMaker maker;
  private int repetition;

  /**
   * Lowers a schedule.
   *
   * @param schedule a correct all-reduce
   * @throws IllegalArgumentException if the precision is not defined for that many ranks
   */
  public static Program lower(Schedule schedule, LoweringSpec spec) {
    Precision precision = spec.precision();
    if (!precision.supportsRanks(schedule.ranks())) {
      throw new IllegalArgumentException(
          precision.name() + " is defined for at most " + precision.maxRanks() + " ranks");
    }
    return new Lowering(schedule, spec).run(spec.repetitions());
  }

  private Lowering(Schedule schedule, LoweringSpec spec) {
    this.schedule = schedule;
    precision = spec.precision();
    barrier = spec.barrier();
    ranks = schedule.ranks();
    values =
        new RankValues(
            schedule, precision, spec.transport(), spec.operands(), spec.inactiveRanks());
    log = new SubmissionLog(ranks, spec.transport() == Transport.DIRECT);
    maker = new FoldMaker(schedule, precision, values, log);
  }

  private Program run(int repetitions) {
    executeRounds();
    for (repetition = 1; repetition < repetitions; repetition++) {
      values.beginAgain(log.progress());
      executeRounds();
    }
    return new Program(
        ranks,
        schedule.count(),
        precision,
        log.submissions(),
        values.lastReadBy(),
        maker.slotBytes(),
        repetitions);
  }

  private void executeRounds() {
    List<Round> rounds = schedule.rounds();
    if (!rounds.isEmpty()) {
      publishInitialValues(rounds.get(0));
    }
    for (int number = 0; number < rounds.size(); number++) {
      List<List<Combine>> byRank = byRank(rounds.get(number));
      boolean[][] ahead = values.none();
      if (number + 1 < rounds.size()) {
        ahead = values.due(rounds.get(number + 1));
        // Values that the present round replaces are published by that.
        values.remove(ahead, rounds.get(number));
      }
      fold(number, byRank, ahead);
    }
  }

  private List<List<Combine>> byRank(Round round) {
    List<List<Combine>> result = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      result.add(new ArrayList<>());
    }
    for (Combine c : round.combines()) {
      if (!c.span().isEmpty()) {
        result.get(c.rank()).add(c);
      }
    }
    return result;
  }

  private void publishInitialValues(Round round) {
    boolean[][] due = values.due(round);
    for (int rank = 0; rank < ranks; rank++) {
      FoldMaker.Made made = new FoldMaker.Made();
      maker.publish(rank, due[rank], made);
      if (!made.folds().isEmpty()) {
        Kernel kernel = new Kernel(repetition, 0, Kernel.Kind.PUBLISH, made.folds());
        made.writtenAt(log.append(rank, kernel, List.of()));
      }
    }
  }

  private void fold(int number, List<List<Combine>> byRank, boolean[][] ahead) {
    int[][] required = new int[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      required[rank] = values.requirements(rank, byRank.get(rank));
    }
    int relayedAt = relay(number, required);
    List<Runnable> writes = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      foldOneRank(number, rank, byRank.get(rank), required[rank], relayedAt, ahead[rank], writes);
    }
    // Only now: every combine of a round reads the state before it.
    writes.forEach(Runnable::run);
  }

  private void foldOneRank(
      int number,
      int rank,
      List<Combine> combines,
      int[] required,
      int relayedAt,
      boolean[] ahead,
      List<Runnable> writes) {
    List<Wait> waits = log.reduce(rank, required);
    if (relayedAt > 0 && rank != HUB && waits.size() > 1) {
      waits = List.of(new Wait(HUB, relayedAt));
    }
    log.learn(rank, waits);
    FoldMaker.Made made = new FoldMaker.Made();
    combines.forEach(c -> maker.fold(c, made));
    Kernel.Kind kind = made.folds().isEmpty() ? Kernel.Kind.PUBLISH : Kernel.Kind.FOLD;
    maker.publish(rank, ahead, made);
    if (made.folds().isEmpty()) {
      return;
    }
    int value = log.append(rank, new Kernel(repetition, number, kind, made.folds()), waits);
    made.writtenAt(value);
    for (Combine c : combines) {
      values.noteReads(c, value);
      writes.add(() -> values.noteWrites(c, value));
    }
  }

  /**
   * If relaying saves waits in this round, does so; returns the hub's progress after it, or 0.
   * Waits for the start do not count: mostly they are satisfied, and then cost nothing.
   */
  private int relay(int number, int[][] required) {
    if (barrier != Barrier.RELAY) {
      return 0;
    }
    int pairwise = 0;
    for (int rank = 0; rank < ranks; rank++) {
      for (Wait wait : log.reduce(rank, required[rank])) {
        pairwise += wait.value() > Wait.START ? 1 : 0;
      }
    }
    return pairwise > 2 * (ranks - 1) ? log.relay(HUB, repetition, number, required) : 0;
  }
}
