package org.allreducelab.backends.cpu;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.RankDevice;

/**
 * Ranks on this machine's cores. Always there, needs no driver, and exact: the backend that the
 * others are compared with.
 */
public final class CpuBackend implements Backend {
  /** Name of the backend and id of its only endpoint. */
  public static final String NAME = "cpu";

  private final int cores;
  private final Choice<LoopSet> loops;

  /** With all cores and the fastest loops: what {@link java.util.ServiceLoader} makes. */
  public CpuBackend() {
    this(Runtime.getRuntime().availableProcessors(), FoldLoops.best());
  }

  CpuBackend(int cores, Choice<LoopSet> loops) {
    this.cores = cores;
    this.loops = loops;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(CpuEndpoint.describe(cores, loops));
  }

  @Override
  public String absence() {
    return "";
  }

  @Override
  public Group open(GroupSpec spec) {
    requireOwnChoices(spec);
    for (String id : spec.endpoints()) {
      if (!id.equals(NAME)) {
        throw new UnavailableException("no endpoint '" + id + "' here; the cpu backend has: cpu");
      }
    }
    return new CpuGroup(spec, CpuChoices.of(spec, cores, loops), cores, loops.value());
  }

  @Override
  public RankDevice openRank(GroupSpec spec, int rank) {
    return new CpuRank(rank, spec.ranks(), spec.capacityBytes(), loops.value());
  }
}
