package org.allreducelab.results.store;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.ForkStatus;
import org.allreducelab.results.RunRecord;

/**
 * A run on disk, for reading: {@code run.json}, {@code jmh.json} and {@code latency.hlog}.
 *
 * <p>A run may be read while it is being written: what is found is what was done at that moment.
 *
 * @param path the folder
 */
public record RunFolder(Path path) {

  /**
   * Reads the run record.
   *
   * @throws RunFolderException if there is none, it is damaged or has another schema version
   */
  public RunRecord read() {
    return RunJson.read(runJson());
  }

  /**
   * Reads all samples: for each case with a measured fork its forks' histograms added up,
   * nanoseconds, by case id.
   *
   * @throws RunFolderException if the run cannot be read or a histogram is missing or damaged
   */
  public Map<String, Histogram> latencies() {
    Map<String, Histogram> merged = new LinkedHashMap<>();
    LatencyLines.read(latencyLog(), measured(read()))
        .histograms()
        .forEach((fork, histogram) -> merged.merge(fork.caseId(), histogram, RunFolder::sum));
    return merged;
  }

  /**
   * Reads the further samples: for each measured fork that has any, its histograms by phase,
   * nanoseconds.
   *
   * @throws RunFolderException if the run cannot be read or a histogram is damaged
   */
  public Map<ForkId, Map<String, Histogram>> phases() {
    return LatencyLines.read(latencyLog(), measured(read())).phases();
  }

  Path runJson() {
    return path.resolve("run.json");
  }

  Path jmhJson() {
    return path.resolve("jmh.json");
  }

  Path latencyLog() {
    return path.resolve("latency.hlog");
  }

  Path lock() {
    return path.resolve(".lock");
  }

  /** The forks that have measurements in the other two files. */
  static Set<ForkId> measured(RunRecord run) {
    Set<ForkId> measured = new HashSet<>();
    for (CaseRecord c : run.cases()) {
      for (ForkRecord f : c.forks()) {
        if (f.status() == ForkStatus.OK) {
          measured.add(new ForkId(c.id(), f.index()));
        }
      }
    }
    return measured;
  }

  private static Histogram sum(Histogram total, Histogram added) {
    total.setAutoResize(true);
    total.add(added);
    total.setTag(null);
    return total;
  }
}
