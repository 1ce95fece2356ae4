package org.allreducelab.harness.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.TimeParts;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;

/**
 * One fork's group and samples. The parameters are the whole key of the case, so that {@code
 * jmh.json} shows it; {@code lab bench} sets them all.
 */
@State(Scope.Benchmark)
public class AllReduceState {
  /** Endpoint ids, spelt as {@link ParamText}; ranks go round-robin over them. */
  @Param("cpu")
  public String devices = "";

  /** Ranks: the number of rounds and of threads, and with them latency, grow with it. */
  @Param("2")
  public String ranks = "";

  /** Algorithm with its parameters, spelt as {@link ParamText}. */
  @Param("ring")
  public String algorithm = "";

  /** Size of one rank's vector: from latency-bound to bandwidth-bound. */
  @Param("20480")
  public String bytes = "";

  /** Arithmetic preset: decides the inner loop and the bytes on the wire. */
  @Param("bf16")
  public String precision = "";

  /** Chunk borders are multiples of this many elements. */
  @Param("8")
  public String granule = "";

  /** How ranks lie on devices; {@code auto} leaves it to the backend, as for the next five. */
  @Param("auto")
  public String placement = "";

  /** Whether peers read each other's buffers or staged copies. */
  @Param("auto")
  public String transport = "";

  /** How ranks wait for each other. */
  @Param("auto")
  public String sync = "";

  /** How rounds are synchronised in which a rank waits for many peers. */
  @Param("auto")
  public String barrier = "";

  /** Through which handle devices share memory. */
  @Param("auto")
  public String memory = "";

  /** Index of the queue family. */
  @Param("auto")
  public String queueFamily = "";

  /** How many queues the ranks of a device share. */
  @Param("auto")
  public String queues = "";

  /** Whether input and output share a buffer; chosen with the benchmark method. */
  @Param("false")
  public String inPlace = "";

  /** Staging policy. */
  @Param("grow-only")
  public String policy = "";

  /** Deadline of every host wait. */
  @Param("10000000000")
  public String deadlineNs = "";

  /** Graphs enqueued back to back before one wait; scores are per all-reduce. */
  @Param("1")
  public String inflight = "";

  /** All-reduces in a row that are recorded as one; scores are per all-reduce. */
  @Param("1")
  public String graph = "";

  /** Whether this is an all-reduce that competes, or a yardstick. */
  @Param("contender")
  public String role = "";

  /** Seed of the inputs. */
  @Param("1")
  public String seed = "";

  private final Histogram samples = Latencies.newHistogram();
  private @Nullable TimeParts parts;
  private final ForkLife<TimedCollective> life =
      new ForkLife<>(
          new ForkLife.Results() {
            @Override
            public Histogram samples() {
              return samples;
            }

            @Override
            public @Nullable TimeParts parts() {
              return parts;
            }
          });

  private BenchCase benchCase() {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("devices", devices);
    params.put("ranks", ranks);
    params.put("algorithm", algorithm);
    params.put("bytes", bytes);
    params.put("precision", precision);
    params.put("granule", granule);
    params.put("placement", placement);
    params.put("transport", transport);
    params.put("sync", sync);
    params.put("barrier", barrier);
    params.put("memory", memory);
    params.put("queueFamily", queueFamily);
    params.put("queues", queues);
    params.put("inPlace", inPlace);
    params.put("policy", policy);
    params.put("deadlineNs", deadlineNs);
    params.put("inflight", inflight);
    params.put("graph", graph);
    params.put("role", role);
    return BenchCase.ofParams(params);
  }

  /**
   * Opens the group, verifies, and runs until the compiler is done: wrong bytes end the fork before
   * anything is timed.
   */
  @Setup(Level.Trial)
  public void open() {
    life.open(
        () -> {
          BenchCase measured = benchCase();
          return new TimedCollective(
              measured, BackendOf.endpoints(measured.devices()), Long.parseLong(seed));
        });
  }

  /** Samples count in measurement iterations only. */
  @Setup(Level.Iteration)
  public void startIteration(IterationParams iteration) {
    life.startIteration(iteration);
  }

  /** The timed part, with a sample. */
  final void runTimed() {
    long elapsedNs = elapsedNs(life.rig());
    if (life.measuring()) {
      samples.recordValue(elapsedNs);
    }
  }

  private long elapsedNs(TimedCollective timed) {
    try {
      return timed.run();
    } catch (RuntimeException e) {
      throw life.failed(e);
    }
  }

  final void restoreInputs() {
    TimedCollective timed = life.rig();
    try {
      timed.restoreInputs();
    } catch (RuntimeException e) {
      throw life.failed(e);
    }
  }

  /** Verifies the very objects that were timed, reports, and frees them. */
  @TearDown(Level.Trial)
  public void close() {
    life.close(timed -> parts = timed.parts());
  }
}
