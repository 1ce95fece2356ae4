package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.DataKind;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.cpu.FoldLoop;
import org.allreducelab.backends.cpu.FoldLoops;
import org.allreducelab.backends.cpu.LoopSet;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an all-reduce is made of, each part alone: the inner loops against {@link System#arraycopy},
 * a hop between two ranks, the simulator, the lowering.
 *
 * <pre>
 *   java -cp harness/target/lab.jar org.openjdk.jmh.Main PartsBenchmark
 * </pre>
 *
 * <p>A fold of two operands moves three bytes for each byte of a vector, a copy two: multiply
 * before comparing bandwidths.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {
      "--add-modules=jdk.incubator.vector",
      "-XX:+UseSerialGC",
      "-XX:-UsePerfData",
      "-Xmx1g"
    })
public class PartsBenchmark {

  /** One thread's arrays. */
  @State(Scope.Thread)
  public static class Vectors {
    /** From a decode-sized message in the first-level cache to one beyond the caches. */
    @Param({"20480", "1048576", "16777216"})
    public int bytes;

    byte[] left = {};
    byte[] right = {};
    byte[] result = {};
    byte[][] sources = {};

    /** Benign data: Gaussian. */
    @Setup
    public void fill() {
      Precision precision = Precision.BF16;
      int count = bytes / precision.element().bytes();
      TestVectors data = TestVectors.of(DataKind.GAUSSIAN, precision.element(), 2, 1);
      left = data.vector(0, count);
      right = data.vector(1, count);
      result = new byte[bytes];
      sources = new byte[][] {left, right};
    }
  }

  /** The bf16 fold of two operands. */
  @State(Scope.Thread)
  public static class Loop {
    /** {@code best} is what the CPU backend uses on this JVM. */
    @Param({"scalar", "best"})
    public String loops = "";

    private final int[] offsets = {0, 0};
    private FoldLoop fold = FoldLoops.scalar().fold(bf16().element(), bf16().accumulate(), 2);

    /** Looks the loop up once. */
    @Setup
    public void choose() {
      LoopSet set = loops.equals("best") ? FoldLoops.best().value() : FoldLoops.scalar();
      fold = set.fold(bf16().element(), bf16().accumulate(), 2);
    }

    private static Precision bf16() {
      return Precision.BF16;
    }
  }

  /** {@code result[i] = left[i] + right[i]} in bf16. */
  @Benchmark
  public byte[] add(Vectors vectors, Loop loop) {
    loop.fold.fold(
        vectors.sources, loop.offsets, vectors.result, 0, 0, vectors.bytes / Short.BYTES);
    return vectors.result;
  }

  /** The yardstick of {@link #add}. */
  @Benchmark
  public byte[] copy(Vectors vectors) {
    System.arraycopy(vectors.left, 0, vectors.result, 0, vectors.bytes);
    return vectors.result;
  }

  /** Two ranks on the CPU backend that copy eight elements from each other by turns. */
  @State(Scope.Benchmark)
  public static class PingPong {
    static final int HOPS = 256;
    private static final int COUNT = 8;

    private final Group group =
        BackendOf.endpoint("cpu")
            .open(GroupSpec.builder("cpu", 2).capacityBytes(COUNT * Short.BYTES).build());
    private final Collective collective = group.prepare(turns(), Operands.OUT_OF_PLACE);

    private static Schedule turns() {
      List<Round> rounds = new ArrayList<>();
      for (int hop = 0; hop < HOPS; hop++) {
        int rank = hop % 2;
        rounds.add(new Round(List.of(new Combine(rank, new Span(0, COUNT), 1 - rank))));
      }
      return new Schedule(2, COUNT, rounds);
    }

    /** Frees the group. */
    @TearDown(Level.Trial)
    public void close() {
      collective.close();
      group.close();
    }
  }

  /**
   * One hop: a rank publishes that it is done, its peer sees it and copies eight elements. Mean of
   * a chain of 256; the start of the chain and its completion are a hundredth of it.
   */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  @OperationsPerInvocation(PingPong.HOPS)
  public void hop(PingPong pingPong) {
    pingPong.collective.enqueue();
    pingPong.collective.await();
  }

  /** The simulator's largest everyday job: a ring of eight ranks over 10 MiB of bf16. */
  @State(Scope.Benchmark)
  public static class Simulation {
    private static final int RANKS = 8;
    private static final int COUNT = (10 << 20) / Short.BYTES;

    private final byte[][] inputs =
        TestVectors.of(DataKind.GAUSSIAN, Precision.BF16.element(), RANKS, 1).vectors(COUNT);
    private final ReferenceSimulator simulator =
        new ReferenceSimulator(Algorithms.named("ring").plan(RANKS, COUNT), Precision.BF16);
  }

  /** Ring, 8 ranks, 10 MiB, bf16. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  @Warmup(iterations = 1)
  @Measurement(iterations = 3)
  public byte[][] simulate(Simulation simulation) {
    return simulation.simulator.run(simulation.inputs);
  }

  /** A schedule to lower. */
  @State(Scope.Benchmark)
  public static class Planned {
    /** Many rounds of one chunk, and few rounds of many. */
    @Param({"ring", "two-shot"})
    public String algorithm = "";

    private Schedule schedule = new Schedule(1, 0, List.of());

    /** Plans for eight ranks and 20 KiB. */
    @Setup
    public void plan() {
      schedule = Algorithms.named(algorithm).plan(8, 10240);
    }
  }

  /** Schedule to program: what preparing a collective costs before the device is asked. */
  @Benchmark
  public Program lower(Planned planned) {
    return Lowering.lower(
        planned.schedule, LoweringSpec.of(Precision.BF16, Transport.DIRECT, Operands.OUT_OF_PLACE));
  }
}
