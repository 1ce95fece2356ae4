package org.allreducelab.harness.doctor;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.PairProbe;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.harness.probes.ProbeCache;
import org.allreducelab.harness.probes.ProbedMode;
import org.allreducelab.harness.probes.ProbedPair;

/** Tries what is not known yet, and keeps what it finds. */
final class Doctor {
  private final ProbeRunner runner;
  private final ProbeCache cache;
  private final boolean fresh;
  private final Clock clock;
  private final Consumer<String> progress;

  /**
   * @param fresh try also what is known
   * @param progress hears what is tried next
   */
  Doctor(
      ProbeRunner runner, ProbeCache cache, boolean fresh, Clock clock, Consumer<String> progress) {
    this.runner = runner;
    this.cache = cache;
    this.fresh = fresh;
    this.clock = clock;
    this.progress = progress;
  }

  /** The modes of a pair; each one is kept as soon as it is known. */
  PairReport examine(Pair pair, PairProbe probe) {
    Endpoint from = pair.from();
    Endpoint to = pair.to();
    ProbedPair known = cache.read(from, to);
    List<ProbedMode> modes = new ArrayList<>();
    Set<ProbedMode> cached = new HashSet<>();
    for (ProbeMode mode : probe.modes(from.id(), to.id())) {
      if (mode.claim() == Claim.MISSING) {
        modes.add(ProbedMode.notClaimed(mode));
        continue;
      }
      Optional<ProbedMode> before = fresh ? Optional.empty() : lasting(known, mode);
      before.ifPresent(cached::add);
      ProbedMode probed = before.isPresent() ? before.get() : tryOut(pair, mode);
      modes.add(probed);
      if (before.isEmpty()) {
        known = known.with(replaced(known.modes(), mode, probed));
        cache.write(known);
      }
    }
    return new PairReport(pair, modes, cached);
  }

  /** What is known of a mode; a deadline may have been missed by a machine that was only busy. */
  private static Optional<ProbedMode> lasting(ProbedPair known, ProbeMode mode) {
    return known.modes().stream()
        .filter(m -> m.is(mode) && m.verdict() != ProbeVerdict.TIMED_OUT)
        .findFirst();
  }

  private ProbedMode tryOut(Pair pair, ProbeMode mode) {
    progress.accept(pair.label() + ", " + mode.memory() + ", " + mode.sync().label());
    ProbeEnd end = runner.run(pair, mode, Sweep.standard());
    return new ProbedMode(
        mode.transport(),
        mode.memory(),
        mode.sync(),
        mode.claim(),
        end.finding().verdict(),
        end.finding().code(),
        end.finding().detail(),
        end.attempt(),
        end.finding().wrongByte(),
        end.finding().speed(),
        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static List<ProbedMode> replaced(List<ProbedMode> modes, ProbeMode mode, ProbedMode now) {
    List<ProbedMode> all = new ArrayList<>(modes);
    all.removeIf(m -> m.is(mode));
    all.add(now);
    return all;
  }
}
