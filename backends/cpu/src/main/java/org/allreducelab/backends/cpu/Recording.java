package org.allreducelab.backends.cpu;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Submission;
import org.jspecify.annotations.Nullable;

/**
 * A program compiled for a group's workers and memory.
 *
 * <p>Waits between ranks of one worker are left out: the worker executes its ranks' submissions in
 * the program's global order, in which every wait refers to something earlier.
 */
final class Recording {
  /** What it was made from; null for {@link #compute}. */
  final @Nullable Program program;

  /** How long all ranks are busy before its steps. */
  final long computeNs;

  /** Submissions per rank. */
  final int[] submissions;

  final Share[] shares;

  /** One worker's part. */
  static final class Share {
    final Step[] steps;

    /** Reads of its ranks' memory by ranks of other workers: whose, by whom, until when. */
    final int[] owners;

    final int[] readers;
    final int[] lastReads;

    Share(Step[] steps, List<int[]> reads) {
      this.steps = steps;
      owners = reads.stream().mapToInt(r -> r[0]).toArray();
      readers = reads.stream().mapToInt(r -> r[1]).toArray();
      lastReads = reads.stream().mapToInt(r -> r[2]).toArray();
    }
  }

  private Recording(long computeNs, Deal deal) {
    this.computeNs = computeNs;
    program = null;
    submissions = new int[deal.ranks()];
    shares = new Share[deal.workers()];
    java.util.Arrays.fill(shares, new Share(new Step[0], List.of()));
  }

  /** Not a program: all ranks are busy for a time. */
  static Recording compute(long durationNs, Deal deal) {
    return new Recording(durationNs, deal);
  }

  Recording(Program program, Deal deal, FoldBinder binder) {
    this.program = program;
    computeNs = 0;
    submissions = new int[program.ranks()];
    for (int rank = 0; rank < submissions.length; rank++) {
      submissions[rank] = program.submissionsOf(rank);
    }
    List<List<Step>> steps = new ArrayList<>();
    for (int worker = 0; worker < deal.workers(); worker++) {
      steps.add(new ArrayList<>());
    }
    for (Submission s : program.submissions()) {
      steps.get(deal.workerOf(s.rank())).add(step(s, deal, binder));
    }
    shares = new Share[deal.workers()];
    for (int worker = 0; worker < shares.length; worker++) {
      shares[worker] =
          new Share(steps.get(worker).toArray(Step[]::new), reads(program, deal, worker));
    }
  }

  private static Step step(Submission s, Deal deal, FoldBinder binder) {
    int worker = deal.workerOf(s.rank());
    var waits = s.waits().stream().filter(w -> deal.workerOf(w.rank()) != worker).toList();
    List<Task> tasks = new ArrayList<>();
    for (Kernel kernel : s.kernels()) {
      for (Fold fold : kernel.folds()) {
        tasks.add(binder.bind(fold));
      }
    }
    return new Step(
        s,
        waits.stream().mapToInt(w -> w.rank()).toArray(),
        waits.stream().mapToInt(w -> w.value()).toArray(),
        s.lateReaders().stream()
            .mapToInt(Integer::intValue)
            .filter(reader -> deal.workerOf(reader) != worker)
            .toArray(),
        tasks.toArray(Task[]::new));
  }

  private static List<int[]> reads(Program program, Deal deal, int worker) {
    List<int[]> reads = new ArrayList<>();
    for (int owner = 0; owner < program.ranks(); owner++) {
      for (int reader = 0; reader < program.ranks(); reader++) {
        int last = program.lastReadBy(owner, reader);
        if (last > 0 && deal.workerOf(owner) == worker && deal.workerOf(reader) != worker) {
          reads.add(new int[] {owner, reader, last});
        }
      }
    }
    return reads;
  }
}
