package org.allreducelab.algorithms.simulator;

import java.util.zip.CRC32;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;

/** Prints a checksum of data and results, for a comparison between JVMs. */
final class SimulatorChecksum {
  private SimulatorChecksum() {}

  public static void main(String[] args) {
    System.out.println(compute());
  }

  static long compute() {
    CRC32 checksum = new CRC32();
    int count = 600;
    for (Precision precision : Precision.presets()) {
      for (int ranks = 2; ranks <= 5 && precision.supportsRanks(ranks); ranks++) {
        byte[][] inputs = TestVectors.mixed(precision.element(), ranks, 77).vectors(count);
        add(checksum, inputs);
        for (Algorithm algorithm : Algorithms.all()) {
          add(
              checksum,
              new ReferenceSimulator(algorithm.plan(ranks, count), precision).run(inputs));
        }
      }
    }
    return checksum.getValue();
  }

  private static void add(CRC32 checksum, byte[][] vectors) {
    for (byte[] vector : vectors) {
      checksum.update(vector);
    }
  }
}
