package org.allreducelab.harness.doctor;

import java.util.List;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.ProbeMode;

/** Tries one mode; always comes back. */
@FunctionalInterface
interface ProbeRunner {
  ProbeEnd run(Pair pair, ProbeMode mode, List<Block> sweep);
}
