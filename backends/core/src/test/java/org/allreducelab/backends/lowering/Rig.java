package org.allreducelab.backends.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;

/** A sequence of invocations on one interpreted group, and what must come out of the last one. */
final class Rig {
  private final int ranks;
  private final Precision precision;
  private final Transport transport;
  private final Barrier barrier;
  private final Set<Integer> inactive;
  private final List<Schedule> schedules = new ArrayList<>();
  private final List<Operands> operands = new ArrayList<>();
  private final List<Program> programs = new ArrayList<>();
  private byte[][] expected = new byte[0][];

  Rig(int ranks, Precision precision, Transport transport, Barrier barrier, Set<Integer> inactive) {
    this.ranks = ranks;
    this.precision = precision;
    this.transport = transport;
    this.barrier = barrier;
    this.inactive = inactive;
  }

  Rig add(Schedule schedule, Operands where) {
    return add(schedule, where, 1);
  }

  Rig add(Schedule schedule, Operands where, int repetitions) {
    schedules.add(schedule);
    operands.add(where);
    programs.add(
        Lowering.lower(
            schedule,
            LoweringSpec.of(precision, transport, where)
                .withBarrier(barrier)
                .withInactiveRanks(inactive)
                .repeated(repetitions)));
    return this;
  }

  List<Program> programs() {
    return programs;
  }

  ProgramInterpreter interpreter(UnaryOperator<ProgramInterpreter.Issued> mutation) {
    ProgramInterpreter interpreter = new ProgramInterpreter(ranks, mutation);
    programs.forEach(interpreter::enqueue);
    return interpreter;
  }

  ProgramInterpreter interpreter() {
    return interpreter(UnaryOperator.identity());
  }

  /** Fills the inputs (NaN everywhere on inactive ranks) and computes what RECV must hold. */
  GroupMemory load(ProgramInterpreter interpreter) {
    int capacity = 0;
    for (Schedule s : schedules) {
      capacity = Math.max(capacity, s.count() * precision.element().bytes());
    }
    int elements = capacity / precision.element().bytes();
    byte[][] send = vectors(elements, 1);
    byte[][] recv = vectors(elements, 2);
    GroupMemory memory = interpreter.allocate(send, recv);
    expected = expected(send, copies(recv));
    return memory;
  }

  private static byte[][] copies(byte[][] vectors) {
    byte[][] copies = new byte[vectors.length][];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = vectors[i].clone();
    }
    return copies;
  }

  private byte[][] vectors(int elements, long seed) {
    byte[][] vectors = TestVectors.mixed(precision.element(), ranks, seed).vectors(elements);
    ElementType type = precision.element();
    for (int rank : inactive) {
      for (int i = 0; i < elements; i++) {
        type.put(vectors[rank], i, type.canonicalNanBits());
      }
    }
    return vectors;
  }

  /** RECV of every rank after all invocations, by the simulator. */
  private byte[][] expected(byte[][] send, byte[][] recv) {
    for (int p = 0; p < schedules.size(); p++) {
      byte[][] from = operands.get(p) == Operands.IN_PLACE ? recv : send;
      for (int times = programs.get(p).repetitions(); times > 0; times--) {
        execute(schedules.get(p), from, recv);
      }
    }
    return recv;
  }

  private void execute(Schedule s, byte[][] from, byte[][] recv) {
    int bytes = s.count() * precision.element().bytes();
    byte[][] inputs = new byte[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      inputs[rank] = Arrays.copyOf(from[rank], bytes);
      for (int i = 0; inactive.contains(rank) && i < s.count(); i++) {
        precision.element().put(inputs[rank], i, precision.element().signBit());
      }
    }
    byte[][] outputs = new ReferenceSimulator(s, precision).run(inputs);
    for (int rank = 0; rank < ranks; rank++) {
      System.arraycopy(outputs[rank], 0, recv[rank], 0, bytes);
    }
  }

  boolean isRight(GroupMemory memory) {
    for (int rank = 0; rank < ranks; rank++) {
      if (!Arrays.equals(memory.of(rank, Space.RECV), expected[rank])) {
        return false;
      }
    }
    return true;
  }

  void proveAndRun(List<ProgramInterpreter.Order> orders, String what) {
    ProgramInterpreter first = interpreter();
    assertThat(HappensBefore.firstConflict(ranks, first.issued())).as(what).isEmpty();
    for (ProgramInterpreter.Order order : orders) {
      ProgramInterpreter one = interpreter();
      GroupMemory memory = load(one);
      one.run(order);
      assertThat(isRight(memory)).as(what).isTrue();
    }
  }

  /** The lowest rank first. */
  static ProgramInterpreter.Order ascending() {
    return runnable -> runnable.get(0);
  }

  /** Random, seeded. */
  static ProgramInterpreter.Order random(long seed) {
    Random random = new Random(seed);
    return runnable -> runnable.get(random.nextInt(runnable.size()));
  }

  /** {@code late} steps only when nobody else can. */
  static ProgramInterpreter.Order delaying(int late) {
    return runnable -> {
      for (int rank : runnable) {
        if (rank != late) {
          return rank;
        }
      }
      return late;
    };
  }

  /** {@code eager} steps whenever it can. */
  static ProgramInterpreter.Order preferring(int eager) {
    return runnable -> runnable.contains(eager) ? eager : runnable.get(0);
  }
}
