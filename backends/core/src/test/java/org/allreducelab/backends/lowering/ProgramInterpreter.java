package org.allreducelab.backends.lowering;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Executes a sequence of programs on arrays, as a group of in-order queues would, one small step of
 * one rank at a time: kernels are split into a read and a write phase, and an {@link Order} says
 * which rank may step next. What a missing wait would let happen on a device can so be made to
 * happen here.
 *
 * <p>The invocations share memory and are all in flight at once: nothing waits for the host.
 */
public final class ProgramInterpreter {
  private final int ranks;
  private final List<Deque<Step>> queues = new ArrayList<>();
  private final List<Issued> issued = new ArrayList<>();
  private final GroupClock clock;
  private final long[] done;
  private final long[] slotBytes;
  private final UnaryOperator<Issued> mutation;
  private @Nullable GroupMemory memory;

  /** Chooses who steps next. */
  public interface Order {
    /**
     * Picks a rank.
     *
     * @param runnable ranks that can step, never empty
     */
    int next(List<Integer> runnable);
  }

  /**
   * A submission with absolute waits: {@code {rank, value}} pairs, those for earlier invocations
   * last.
   *
   * @param submission what is executed
   * @param value the rank's absolute progress when it is done
   * @param waits waits inside the invocation
   * @param lateWaits waits for earlier invocations
   * @param inputs per repetition and rank, its absolute progress when it has made its input
   * @param folds the arithmetic
   */
  record Issued(
      Submission submission,
      long value,
      List<long[]> waits,
      List<long[]> lateWaits,
      List<long[]> inputs,
      FoldInterpreter folds) {
    Issued withWaits(List<long[]> others) {
      return new Issued(submission, value, others, lateWaits, inputs, folds);
    }
  }

  private interface Step {
    boolean ready();

    void run();
  }

  public ProgramInterpreter(int ranks) {
    this(ranks, UnaryOperator.identity());
  }

  /**
   * An interpreter that changes submissions before it executes them.
   *
   * @param mutation gives the submission to execute in place of the one given
   */
  ProgramInterpreter(int ranks, UnaryOperator<Issued> mutation) {
    this.ranks = ranks;
    this.mutation = mutation;
    clock = new GroupClock(ranks);
    done = new long[ranks];
    slotBytes = new long[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      queues.add(new ArrayDeque<>());
      clock.advance(rank, 1);
    }
  }

  /** Adds an invocation after those enqueued so far. */
  public void enqueue(Program program) {
    FoldInterpreter folds = new FoldInterpreter(program.precision(), program.count());
    for (int rank = 0; rank < ranks; rank++) {
      slotBytes[rank] = Math.max(slotBytes[rank], program.slotBytes(rank));
    }
    List<long[]> inputs = inputs(program, clock);
    for (Submission s : program.submissions()) {
      List<long[]> waits = new ArrayList<>();
      for (Wait w : s.waits()) {
        waits.add(new long[] {w.rank(), clock.base(w.rank()) + w.value()});
      }
      List<long[]> late = new ArrayList<>();
      for (int reader : s.lateReaders()) {
        long value = clock.lateReader(s.rank(), reader);
        if (value > 0) {
          late.add(new long[] {reader, value});
        }
      }
      long value = clock.base(s.rank()) + s.value();
      Issued one = mutation.apply(new Issued(s, value, waits, late, inputs, folds));
      issued.add(one);
      addSteps(one);
    }
    clock.advance(program);
  }

  /**
   * Per repetition of a program and rank, the rank's absolute progress when it has made its input:
   * when all that begins in an earlier repetition is done.
   */
  static List<long[]> inputs(Program program, GroupClock clock) {
    List<long[]> inputs = new ArrayList<>();
    for (int repetition = 0; repetition < program.repetitions(); repetition++) {
      long[] progress = new long[program.ranks()];
      Arrays.setAll(progress, clock::base);
      for (Submission s : program.submissions()) {
        progress[s.rank()] += s.repetition() < repetition ? 1 : 0;
      }
      inputs.add(progress);
    }
    return inputs;
  }

  /** All submissions in enqueue order. */
  List<Issued> issued() {
    return issued;
  }

  /**
   * Makes the memories, poisoned, when everything is enqueued. Each rank's inputs are written by
   * its own first step, a producer on its device that was enqueued before everything else: a peer
   * that does not wait for it finds poison.
   */
  GroupMemory allocate(byte[][] send, byte[][] recv) {
    GroupMemory made = new GroupMemory(ranks, send[0].length, slotBytes);
    memory = made;
    for (int rank = 0; rank < ranks; rank++) {
      int owner = rank;
      queues
          .get(rank)
          .addFirst(
              step(
                  () -> {
                    made.fill(owner, send[owner], recv[owner]);
                    done[owner] = 1;
                  }));
    }
    return made;
  }

  private GroupMemory memory() {
    if (memory == null) {
      throw new IllegalStateException("allocate() first");
    }
    return memory;
  }

  /**
   * Executes everything enqueued.
   *
   * @throws IllegalStateException if no rank can step: a deadlock
   */
  public void run(Order order) {
    while (true) {
      List<Integer> runnable = new ArrayList<>();
      boolean left = false;
      for (int rank = 0; rank < ranks; rank++) {
        Step head = queues.get(rank).peek();
        left |= head != null;
        if (head != null && head.ready()) {
          runnable.add(rank);
        }
      }
      if (!left) {
        return;
      }
      if (runnable.isEmpty()) {
        throw new IllegalStateException("deadlock");
      }
      queues.get(order.next(runnable)).remove().run();
    }
  }

  /**
   * Executes everything enqueued, one submission after the other in enqueue order.
   *
   * @param watch called before and after each submission
   */
  void runInEnqueueOrder(Consumer<Issued> watch) {
    for (Deque<Step> queue : queues) {
      queue.remove().run();
    }
    for (Issued one : issued) {
      watch.accept(one);
      Deque<Step> queue = queues.get(one.submission().rank());
      for (int steps = 2 + 2 * one.submission().kernels().size(); steps > 0; steps--) {
        queue.remove().run();
      }
      watch.accept(one);
    }
  }

  private void addSteps(Issued one) {
    Submission s = one.submission();
    Deque<Step> queue = queues.get(s.rank());
    queue.add(new Acquire(one));
    for (Kernel kernel : s.kernels()) {
      List<int[]> results = new ArrayList<>();
      queue.add(step(() -> read(kernel, one.folds(), results)));
      queue.add(step(() -> write(kernel, one.folds(), results)));
    }
    queue.add(step(() -> done[s.rank()] = one.value()));
  }

  private static Step step(Runnable action) {
    return new Step() {
      @Override
      public boolean ready() {
        return true;
      }

      @Override
      public void run() {
        action.run();
      }
    };
  }

  private final class Acquire implements Step {
    private final Issued one;

    Acquire(Issued one) {
      this.one = one;
    }

    @Override
    public boolean ready() {
      return reached(one.waits()) && reached(one.lateWaits());
    }

    private boolean reached(List<long[]> waits) {
      for (long[] wait : waits) {
        if (done[(int) wait[0]] < wait[1]) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void run() {}
  }

  private void read(Kernel kernel, FoldInterpreter folds, List<int[]> results) {
    for (Fold fold : kernel.folds()) {
      byte[][] memories = new byte[fold.sources().size()][];
      for (int k = 0; k < memories.length; k++) {
        memories[k] = memory().of(fold.sources().get(k).region());
      }
      int[] bits = new int[fold.length()];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = folds.element(fold, memories, i);
      }
      results.add(bits);
    }
  }

  private void write(Kernel kernel, FoldInterpreter folds, List<int[]> results) {
    int f = 0;
    for (Fold fold : kernel.folds()) {
      int[] bits = results.get(f++);
      for (int i = 0; i < bits.length; i++) {
        store(fold.destination(), i, bits[i]);
        Region publish = fold.publish();
        if (publish != null) {
          store(publish, i, folds.published(bits[i]));
        }
      }
    }
  }

  private void store(Region region, int i, int bits) {
    int at = (int) region.byteOffset() + i * region.type().bytes();
    FoldInterpreter.put(region.type(), memory().of(region), at, bits);
  }
}
