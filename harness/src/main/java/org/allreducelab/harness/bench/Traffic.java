package org.allreducelab.harness.bench;

import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Source;
import org.allreducelab.backends.lowering.Space;
import org.allreducelab.backends.lowering.Submission;

/**
 * Memory traffic of a program: what its kernels read and write.
 *
 * <p>Every source of every fold counts as read and every destination as written, once, whether or
 * not a cache holds it. Divided by the time of an all-reduce it compares with what {@code
 * System.arraycopy} reads and writes per second.
 */
final class Traffic {
  private Traffic() {}

  /** Bytes read and written by one invocation on all ranks. */
  static long of(Program program) {
    long bytes = 0;
    for (Submission submission : program.submissions()) {
      for (Kernel kernel : submission.kernels()) {
        for (Fold fold : kernel.folds()) {
          bytes += of(fold);
        }
      }
    }
    return bytes;
  }

  private static long of(Fold fold) {
    long perElement = bytes(fold.destination());
    Region publish = fold.publish();
    if (publish != null) {
      perElement += bytes(publish);
    }
    for (Source source : fold.sources()) {
      perElement += bytes(source.region());
    }
    return perElement * fold.length();
  }

  private static int bytes(Region region) {
    return region.space() == Space.NEGATIVE_ZERO ? 0 : region.type().bytes();
  }
}
