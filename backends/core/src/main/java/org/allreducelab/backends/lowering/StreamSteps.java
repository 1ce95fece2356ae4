package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.allreducelab.backends.lowering.StreamStep.Part;
import org.allreducelab.backends.lowering.StreamStep.PeerNeeds;
import org.allreducelab.backends.lowering.StreamStep.RankNeed;
import org.jspecify.annotations.Nullable;

/**
 * A program for streams that ranks share: each executes in order what it is given, so ranks of one
 * stream need no waits for each other but a barrier here and there.
 *
 * <p>As few steps as that allows. A step begins where a rank needs what a peer on another stream
 * does in this invocation and no earlier step of the stream has waited for; all else joins the
 * stream's last step. What is needed of a peer's earlier invocations is waited for where the step
 * begins.
 *
 * <p>Steps come in the order of their first submissions. A step waits inside the invocation for
 * what its first submission needs alone, and what is joined to a step needs nothing more, so every
 * wait refers to a step before it in that order.
 */
public final class StreamSteps {
  private final Program program;
  private final int[] streamOf;
  private final Stream[] streams;

  /** {@code [rank][value]}: the step that a submission is in. */
  private final @Nullable Open[][] stepOf;

  private final List<Open> steps = new ArrayList<>();

  /** A stream's progress while the steps are made. */
  private static final class Stream {
    /** Per rank of it, its last submission in a step. */
    final int[] recorded;

    /** Per rank of it, its last submission that a barrier lies behind. */
    final int[] settled;

    /** Per stream, how many steps of this invocation are done when it has come so far. */
    final int[] seen;

    /** Whether the start of a peer on another stream has been waited for. */
    final boolean[] started;

    Stream(int ranks, int streams) {
      recorded = new int[ranks];
      settled = new int[ranks];
      seen = new int[streams];
      started = new boolean[ranks];
    }

    void settle() {
      System.arraycopy(recorded, 0, settled, 0, recorded.length);
    }
  }

  private static final class Open {
    final int stream;

    /** Its place among all. */
    final int number;

    /** Per stream, how many of its steps are done when this one is. */
    int[] seen = {};

    final Map<Integer, List<RankNeed>> waits = new TreeMap<>();
    final List<Part> parts = new ArrayList<>();

    /** Whether any part so far has kernels. */
    boolean works;

    Open(int stream, int number) {
      this.stream = stream;
      this.number = number;
    }

    StreamStep done() {
      List<PeerNeeds> needs = new ArrayList<>();
      waits.forEach((peer, ofPeer) -> needs.add(new PeerNeeds(peer, ofPeer)));
      return new StreamStep(stream, needs, parts);
    }
  }

  private StreamSteps(Program program, int[] streamOf) {
    this.program = program;
    this.streamOf = streamOf;
    streams = new Stream[1 + Arrays.stream(streamOf).max().orElse(-1)];
    Arrays.setAll(streams, s -> new Stream(streamOf.length, streams.length));
    stepOf = new Open[streamOf.length][];
    Arrays.setAll(stepOf, rank -> new Open[1 + program.submissionsOf(rank)]);
  }

  /**
   * The steps of an invocation, in an order in which they can be enqueued.
   *
   * @param streamOf the stream of each rank, counted from 0
   */
  public static List<StreamStep> of(Program program, int[] streamOf) {
    return new StreamSteps(program, streamOf).run();
  }

  /** A step for each submission, of a stream for each rank. */
  public static List<StreamStep> separate(Program program) {
    List<StreamStep> steps = new ArrayList<>();
    for (int i = 0; i < program.submissions().size(); i++) {
      Submission s = program.submissions().get(i);
      Open step = new Open(s.rank(), i);
      for (PeerWait need : PeerWait.of(s, program.ranks())) {
        step.waits.put(need.peer(), List.of(new RankNeed(s.rank(), need)));
      }
      step.parts.add(new Part(i, false));
      steps.add(step.done());
    }
    return steps;
  }

  private List<StreamStep> run() {
    Open[] last = new Open[streams.length];
    for (int i = 0; i < program.submissions().size(); i++) {
      Submission s = program.submissions().get(i);
      int of = streamOf[s.rank()];
      List<PeerWait> needs = unknown(s);
      if (last[of] == null || needs.stream().anyMatch(n -> n.value() > Wait.START)) {
        last[of] = begin(of, needs);
      }
      add(last[of], i, needs);
    }
    return steps.stream().map(Open::done).toList();
  }

  private Open begin(int of, List<PeerWait> needs) {
    Stream stream = streams[of];
    Open step = new Open(of, steps.size());
    steps.add(step);
    stream.settle();
    needs.forEach(need -> learn(stream.seen, need));
    stream.seen[of]++;
    step.seen = stream.seen.clone();
    return step;
  }

  /** What a submission needs of other streams that its own does not know of yet. */
  private List<PeerWait> unknown(Submission s) {
    Stream own = streams[streamOf[s.rank()]];
    List<PeerWait> needs = new ArrayList<>(PeerWait.of(s, program.ranks()));
    needs.removeIf(need -> streamOf[need.peer()] == streamOf[s.rank()]);
    // The latest first: it may tell of the others.
    needs.sort(Comparator.comparingInt(this::number).reversed());
    int[] seen = own.seen.clone();
    List<PeerWait> unknown = new ArrayList<>();
    for (PeerWait need : needs) {
      int of = streamOf[need.peer()];
      Open step = step(need);
      // Any step of this invocation comes after all that its stream did in earlier ones.
      boolean known =
          step == null ? seen[of] > 0 || own.started[need.peer()] : step.seen[of] <= seen[of];
      if (!known) {
        unknown.add(need);
        learn(seen, need);
      }
    }
    return unknown;
  }

  private void learn(int[] seen, PeerWait need) {
    Open step = step(need);
    for (int stream = 0; step != null && stream < seen.length; stream++) {
      seen[stream] = Math.max(seen[stream], step.seen[stream]);
    }
  }

  /** The step of the peer's stream that is waited for, or null for earlier invocations. */
  private @Nullable Open step(PeerWait need) {
    return need.value() > Wait.START ? stepOf[need.peer()][need.value()] : null;
  }

  private int number(PeerWait need) {
    Open step = step(need);
    return step == null ? -1 : step.number;
  }

  private void add(Open step, int index, List<PeerWait> needs) {
    Submission s = program.submissions().get(index);
    Stream stream = streams[step.stream];
    for (PeerWait need : needs) {
      step.waits
          .computeIfAbsent(need.peer(), p -> new ArrayList<>())
          .add(new RankNeed(s.rank(), need));
      stream.started[need.peer()] |= need.value() == Wait.START;
    }
    boolean barrier = step.works && !s.kernels().isEmpty() && needsBarrier(s, stream);
    if (barrier || !step.works) {
      stream.settle();
    }
    step.works |= !s.kernels().isEmpty();
    step.parts.add(new Part(index, barrier));
    stream.recorded[s.rank()] = s.value();
    stepOf[s.rank()][s.value()] = step;
  }

  private boolean needsBarrier(Submission s, Stream stream) {
    if (stream.recorded[s.rank()] > stream.settled[s.rank()]) {
      return true;
    }
    for (Wait wait : s.waits()) {
      boolean here = streamOf[wait.rank()] == streamOf[s.rank()];
      if (here && wait.value() > stream.settled[wait.rank()]) {
        return true;
      }
    }
    return false;
  }
}
