package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.allreducelab.backends.lowering.StreamStep.Part;
import org.allreducelab.backends.lowering.StreamStep.PeerNeeds;
import org.allreducelab.backends.lowering.StreamStep.RankNeed;

/**
 * Proves that steps of streams order every two conflicting accesses: as {@link HappensBefore}, but
 * what follows each other are the stretches of a stream between barriers, and what a wait sees is
 * all of a step. Submissions of different ranks in one stretch may overlap.
 *
 * <p>Each rank's inputs count as written by work that its stream was given before everything else,
 * and what is read in SEND as written again for every repetition, as in {@link HappensBefore}.
 */
final class StreamProof {
  private final int[] streamOf;
  private final Races races;
  private final GroupClock clock;

  /** Per stream, the points before what it does next, its own last one included. */
  private final List<long[]> now = new ArrayList<>();

  /** Per rank and value, the points that lie before who has seen it. */
  private final List<Map<Long, long[]>> seen = new ArrayList<>();

  /** Per rank and value, when its last kernel so far executes. */
  private final List<TreeMap<Long, Races.Point>> executed = new ArrayList<>();

  private long kernels;

  StreamProof(int[] streamOf) {
    this.streamOf = streamOf;
    clock = new GroupClock(streamOf.length);
    Set<Integer> streams = new HashSet<>();
    List<Races.Point> producers = new ArrayList<>();
    for (int stream : streamOf) {
      streams.add(stream);
    }
    for (int stream = 0; stream < streams.size(); stream++) {
      long[] produced = new long[streams.size()];
      produced[stream] = 1;
      now.add(produced);
    }
    for (int rank = 0; rank < streamOf.length; rank++) {
      Races.Point producer = new Races.Point(streamOf[rank], 1, --kernels);
      producers.add(producer);
      executed.add(new TreeMap<>(Map.of(1L, producer)));
      seen.add(new HashMap<>(Map.of(1L, now.get(streamOf[rank]).clone())));
      clock.advance(rank, 1);
    }
    races = new Races(producers);
    kernels = 0;
  }

  /**
   * Adds an invocation after those so far.
   *
   * @return the first unordered conflicting pair, if there is one; its actors are streams
   * @throws IllegalStateException if a step waits for what is enqueued after it
   */
  Optional<Races.Conflict> add(Program program, List<StreamStep> steps) {
    List<long[]> inputs = ProgramInterpreter.inputs(program, clock);
    for (StreamStep step : steps) {
      long[] here = now.get(step.stream());
      for (PeerNeeds wait : step.waits()) {
        merge(here, wait);
      }
      here[step.stream()]++;
      Stretches stretches = new Stretches(step.stream(), here, program, inputs);
      step.writeTo(stretches, program);
      if (stretches.first.isPresent()) {
        return stretches.first;
      }
      for (Part part : step.parts()) {
        Submission s = program.submissions().get(part.submission());
        seen.get(s.rank()).put(clock.base(s.rank()) + s.value(), here.clone());
      }
    }
    clock.advance(program);
    return Optional.empty();
  }

  /** The accesses of a step; a barrier begins another stretch. */
  private final class Stretches implements StreamStep.Sink {
    private final int stream;
    private final long[] here;
    private final Program program;
    private final List<long[]> inputs;
    private Optional<Races.Conflict> first = Optional.empty();

    Stretches(int stream, long[] here, Program program, List<long[]> inputs) {
      this.stream = stream;
      this.here = here;
      this.program = program;
      this.inputs = inputs;
    }

    @Override
    public void barrier() {
      here[stream]++;
    }

    @Override
    public void kernel(int submission, int kernel) {
      kernels++;
      Races.Point at = new Races.Point(stream, here[stream], kernels);
      Submission s = program.submissions().get(submission);
      Kernel accesses = s.kernels().get(kernel);
      long[] made = inputs.get(accesses.repetition());
      Optional<Races.Conflict> conflict =
          races.add(accesses, at, here, rank -> lastPoint(program, rank, made[rank]));
      first = first.isPresent() ? first : conflict;
      executed.get(s.rank()).put(clock.base(s.rank()) + s.value(), at);
    }
  }

  /** When a rank has executed all its kernels up to a value. */
  private Races.Point lastPoint(Program program, int rank, long value) {
    long last = 0;
    for (Submission s : program.submissions()) {
      long absolute = clock.base(rank) + s.value();
      if (s.rank() == rank && absolute <= value && !s.kernels().isEmpty()) {
        last = absolute;
      }
    }
    Map.Entry<Long, Races.Point> latest = executed.get(rank).floorEntry(value);
    return latest.getKey() < last
        ? new Races.Point(streamOf[rank], Long.MAX_VALUE, 0) // still to come
        : latest.getValue();
  }

  private void merge(long[] here, PeerNeeds wait) {
    int peer = wait.peer();
    for (RankNeed one : wait.needs()) {
      long value = one.need().needed(clock.base(peer), clock.lateReader(one.rank(), peer));
      if (value > 0) {
        long[] other = seen.get(peer).get(value);
        if (other == null) {
          throw new IllegalStateException(
              "stream "
                  + streamOf[one.rank()]
                  + " waits for rank "
                  + peer
                  + ", which is not there yet");
        }
        for (int i = 0; i < here.length; i++) {
          here[i] = Math.max(here[i], other[i]);
        }
      }
    }
  }
}
