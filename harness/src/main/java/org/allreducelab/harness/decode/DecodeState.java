package org.allreducelab.harness.decode;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.allreducelab.backends.Backend;
import org.allreducelab.harness.bench.BackendOf;
import org.allreducelab.harness.bench.ForkEnd;
import org.allreducelab.harness.bench.ForkLife;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;

/** One fork's group and samples. The parameters are the whole key of the case. */
@State(Scope.Benchmark)
public class DecodeState {
  /** Endpoint ids; ranks go round-robin over them. */
  @Param("cpu")
  public String devices = "";

  /** Ranks. */
  @Param("2")
  public String ranks = "";

  /** Algorithm with its parameters. */
  @Param("ring")
  public String algorithm = "";

  /** Arithmetic preset. */
  @Param("f32")
  public String precision = "";

  /** Chunk borders are multiples of this many elements. */
  @Param("8")
  public String granule = "";

  /** Elements of a window where larger messages are sliced; 0 for none. */
  @Param("0")
  public String slice = "";

  /** Placement, transport and so on where they are forced. */
  @Param("none")
  public String forced = "";

  /** Staging policy: what this is about. */
  @Param("grow-only")
  public String policy = "";

  /** Model: size and number of all-reduces. */
  @Param("32b")
  public String model = "";

  /** Name of the trace. */
  @Param("single-turn")
  public String trace = "";

  /** Its steps. */
  @Param("prefill-512-1_decode-1-64")
  public String steps = "";

  /** When the host waits. */
  @Param("token")
  public String await = "";

  /** How long a step computes. */
  @Param("0")
  public String computeNs = "";

  /** What a wait costs for each resident MiB on the emulated driver; none without one. */
  @Param("none")
  public String driverModel = "";

  /** Ranks that take no part. */
  @Param("none")
  public String inactive = "";

  /** The most staging memory of a rank. */
  @Param("9223372036854775807")
  public String memoryCapBytes = "";

  /** Steps due per second; 0 for a closed loop. */
  @Param("0.0")
  public String rate = "";

  /** Deadline of every host wait. */
  @Param("60000000000")
  public String deadlineNs = "";

  /** Seed of the inputs. */
  @Param("1")
  public String seed = "";

  private final StepSamples samples = new StepSamples();
  private final ForkLife<DecodeRig> life =
      new ForkLife<>(
          new ForkLife.Results() {
            @Override
            public Histogram samples() {
              return samples.headline();
            }

            @Override
            public void writeBeside(Path report) {
              StepReport.of(samples).write(report);
            }
          });

  private DecodeCase decodeCase() {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("devices", devices);
    params.put("ranks", ranks);
    params.put("algorithm", algorithm);
    params.put("precision", precision);
    params.put("granule", granule);
    params.put("slice", slice);
    params.put("forced", forced);
    params.put("policy", policy);
    params.put("model", model);
    params.put("trace", trace);
    params.put("steps", steps);
    params.put("await", await);
    params.put("computeNs", computeNs);
    params.put("driverModel", driverModel);
    params.put("inactive", inactive);
    params.put("memoryCapBytes", memoryCapBytes);
    params.put("rate", rate);
    params.put("deadlineNs", deadlineNs);
    return DecodeCase.ofParams(params);
  }

  /** Opens the group, verifies every size of the trace, and runs until the compiler is done. */
  @Setup(Level.Trial)
  public void open() {
    life.open(
        () -> {
          DecodeCase measured = decodeCase();
          return new DecodeRig(
              measured, BackendOf.endpoints(measured.devices()), Long.parseLong(seed));
        });
  }

  /** Samples count in measurement iterations only. */
  @Setup(Level.Iteration)
  public void startIteration(IterationParams iteration) {
    life.startIteration(iteration);
  }

  final void pass() {
    DecodeRig rig = life.rig();
    try {
      if (life.measuring()) {
        rig.run(samples);
      } else {
        rig.warmUp();
      }
    } catch (RuntimeException e) {
      throw life.failed(e);
    }
  }

  /** Verifies the very objects that were timed, reports, and frees them. */
  @TearDown(Level.Trial)
  public void close() {
    life.close(
        rig -> {
          rig.close();
          sampleWaits();
        });
  }

  /** On a group of its own, after all that is timed: timestamps take time themselves. */
  private void sampleWaits() {
    DecodeCase measured = decodeCase();
    Backend backend = BackendOf.endpoints(measured.devices());
    try (DecodeRig timestamped = DecodeRig.timestamped(measured, backend, Long.parseLong(seed))) {
      timestamped.sampleWaits(samples);
      ForkEnd.requireExact("with device timestamps after", timestamped.verify());
    }
  }
}
