package org.allreducelab.backends;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.staging.StagingPolicy;
import org.allreducelab.backends.staging.WindowFit;

/** A group with inputs of every kind, and what its RECV buffers must hold after what ran. */
final class ContractBench implements AutoCloseable {
  private final Group group;
  private final GroupSpec spec;
  private final TestVectors data;
  private final byte[][] send;
  private final byte[][] recv;
  private final Map<Collective, Planned> planned = new LinkedHashMap<>();

  /**
   * A message size out of place, in windows where the policy needs that.
   *
   * @param result what it leaves, by rank: the same every time
   */
  record Sized(List<Collective> parts, List<byte[]> result) {}

  private record Planned(Schedule schedule, Operands operands) {}

  ContractBench(
      Backend backend, GroupSpec.Builder builder, Precision precision, int capacityBytes) {
    spec = builder.precision(precision).capacityBytes(capacityBytes).build();
    group = backend.open(spec);
    ElementType type = precision.element();
    data = TestVectors.mixed(type, spec.ranks(), 11);
    send = data.vectors(capacityBytes / type.bytes());
    recv = data.vectors(capacityBytes / type.bytes());
    for (int rank = 0; rank < spec.ranks(); rank++) {
      group.write(rank, DataBuffer.RECV, recv[rank]);
      if (spec.inactiveRanks().contains(rank)) {
        byte[] nans = new byte[capacityBytes];
        fill(type, nans, type.canonicalNanBits());
        group.write(rank, DataBuffer.SEND, nans);
        fill(type, send[rank], type.signBit());
      } else {
        group.write(rank, DataBuffer.SEND, send[rank]);
      }
    }
  }

  private static void fill(ElementType type, byte[] vector, int bits) {
    for (int i = 0; i < vector.length / type.bytes(); i++) {
      type.put(vector, i, bits);
    }
  }

  Collective prepare(String algorithm, int count, Operands operands) {
    return prepare(algorithm, count, operands, 1);
  }

  Collective prepare(String algorithm, int count, Operands operands, int repetitions) {
    Schedule schedule = Algorithms.named(algorithm).plan(spec.ranks(), count);
    Collective collective = group.prepare(schedule, operands, repetitions);
    planned.put(collective, new Planned(schedule, operands));
    return collective;
  }

  /** Prepares what never asks for more staging memory than the policy can have. */
  Sized prepareWithin(StagingPolicy policy, Algorithm algorithm, int count) {
    WindowFit fit = new WindowFit(spec.lowering(Operands.OUT_OF_PLACE, group.choices()));
    Algorithm fitted =
        fit.fit(
            algorithm,
            spec.ranks(),
            count,
            Algorithm.DEFAULT_GRANULE,
            policy.largestRequestBytes());
    List<Collective> parts = new ArrayList<>();
    for (Schedule part : WindowFit.parts(fitted, spec.ranks(), count, Algorithm.DEFAULT_GRANULE)) {
      parts.add(group.prepare(part, Operands.OUT_OF_PLACE));
    }
    byte[][] inputs = new byte[spec.ranks()][];
    for (int rank = 0; rank < inputs.length; rank++) {
      inputs[rank] = Arrays.copyOf(send[rank], count * spec.precision().element().bytes());
    }
    Schedule whole = fitted.plan(spec.ranks(), count);
    byte[][] result = new ReferenceSimulator(whole, spec.precision()).run(inputs);
    return new Sized(parts, List.of(result));
  }

  void enqueue(Sized sized) {
    sized.parts.forEach(Collective::enqueue);
    for (int rank = 0; rank < recv.length; rank++) {
      byte[] result = sized.result.get(rank);
      System.arraycopy(result, 0, recv[rank], 0, result.length);
    }
  }

  void enqueue(Collective collective) {
    collective.enqueue();
    Planned p = planned.get(collective);
    if (p == null) {
      throw new IllegalArgumentException("not prepared here");
    }
    for (int times = collective.program().repetitions(); times > 0; times--) {
      execute(p);
    }
  }

  private void execute(Planned p) {
    int bytes = p.schedule.count() * spec.precision().element().bytes();
    byte[][] from = p.operands == Operands.IN_PLACE ? recv : send;
    byte[][] inputs = new byte[spec.ranks()][];
    for (int rank = 0; rank < inputs.length; rank++) {
      inputs[rank] = Arrays.copyOf(from[rank], bytes);
    }
    byte[][] outputs = new ReferenceSimulator(p.schedule, spec.precision()).run(inputs);
    for (int rank = 0; rank < inputs.length; rank++) {
      System.arraycopy(outputs[rank], 0, recv[rank], 0, bytes);
    }
  }

  /** Compares what a rank has with what it must have, element by element where they differ. */
  static void requireEqual(
      ElementType type, int rank, byte[] expected, byte[] actual, TestVectors data, String what) {
    int at = Arrays.mismatch(expected, 0, expected.length, actual, 0, expected.length);
    if (at >= 0) {
      int element = at / type.bytes();
      throw new AssertionError(
          "%s: rank %d element %d (%s): expected %x, was %x"
              .formatted(
                  what,
                  rank,
                  element,
                  data.kindOf(element),
                  type.get(expected, element),
                  type.get(actual, element)));
    }
  }

  void requireRight(String what) {
    group.await();
    for (int rank : group.localRanks()) {
      byte[] actual = new byte[recv[rank].length];
      group.read(rank, DataBuffer.RECV, 0, actual);
      requireEqual(spec.precision().element(), rank, recv[rank], actual, data, what);
    }
  }

  @Override
  public void close() {
    group.close();
  }
}
