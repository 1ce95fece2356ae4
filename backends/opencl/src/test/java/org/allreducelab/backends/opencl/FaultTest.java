package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.opencl.CL10.CL_DEVICE_NOT_AVAILABLE;
import static org.lwjgl.opencl.CL10.CL_MAP_FAILURE;
import static org.lwjgl.opencl.CL10.CL_MEM_OBJECT_ALLOCATION_FAILURE;
import static org.lwjgl.opencl.CL10.CL_OUT_OF_HOST_MEMORY;
import static org.lwjgl.opencl.CL10.CL_OUT_OF_RESOURCES;
import static org.lwjgl.opencl.CL12.CL_LINK_PROGRAM_FAILURE;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call that a group makes is refused once: the first of a kind, the second, and so on. Each
 * time the error names the call, the code and the device, comes in time, leaves nothing open, and
 * the next group has the simulator's bytes.
 */
@Tag("opencl")
@RequiresPocl
final class FaultTest {
  private static final int RANKS = 3;
  private static final int COUNT = 1000;
  private static final int INVOCATIONS = 3;
  private static final OpenClBackend BACKEND =
      new OpenClBackend(new Measured(device -> KernelTraits.of(device, false)), new HostBlocks());
  private static final Schedule SCHEDULE = Algorithms.named("one-shot").plan(RANKS, COUNT);
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  /** Polls for events have no number of their own. */
  private static final int MOST_POLLS = 4;

  private final String pocl = PoclCondition.devices().get(0);

  private static Stream<Arguments> setups() {
    return Stream.of(
        Arguments.of(Placement.QUEUES, Transport.DIRECT),
        Arguments.of(Placement.QUEUES, Transport.STAGED_HOST),
        Arguments.of(Placement.SINGLE_QUEUE, Transport.DIRECT),
        Arguments.of(Placement.LOGICAL, Transport.STAGED_HOST),
        Arguments.of(Placement.LOGICAL, Transport.DIRECT));
  }

  @ParameterizedTest
  @MethodSource("setups")
  void everyRefusedCallIsAnErrorOfItsOwn(Placement placement, Transport transport) {
    Map<String, Integer> refused = new TreeMap<>();
    Map<String, Integer> calls = new TreeMap<>();
    calls.put("clCreateContext", CL_OUT_OF_HOST_MEMORY);
    calls.put("clCreateCommandQueue", CL_OUT_OF_RESOURCES);
    calls.put("clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE);
    calls.put("clCreateKernel", CL_OUT_OF_HOST_MEMORY);
    calls.put("clSetKernelArg", CL_OUT_OF_RESOURCES);
    calls.put("clEnqueueMapBuffer", CL_MAP_FAILURE);
    calls.put("clEnqueueReadBuffer", CL_OUT_OF_RESOURCES);
    calls.put("clEnqueueWriteBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE);
    calls.put("clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES);
    calls.put("clEnqueueMarkerWithWaitList", CL_OUT_OF_HOST_MEMORY);
    calls.put("clFlush", CL_OUT_OF_HOST_MEMORY);
    calls.put("clFinish", CL_OUT_OF_RESOURCES);
    calls.put("clGetEventInfo", CL_OUT_OF_HOST_MEMORY);
    calls.forEach(
        (call, code) -> refused.put(call, everyOne(placement, transport, call, code, error -> {})));
    // Each of the three ranks has a context, or all have one.
    boolean apart = placement == Placement.LOGICAL;
    // One-shot has slots only where peers' inputs are not read in place.
    boolean staged = apart && transport == Transport.STAGED_HOST;
    assertThat(refused)
        .containsEntry("clCreateContext", apart ? RANKS : 1)
        .containsEntry("clCreateCommandQueue", placement == Placement.SINGLE_QUEUE ? 1 : RANKS)
        .containsEntry("clEnqueueMapBuffer", staged ? RANKS : 0)
        .containsEntry("clEnqueueReadBuffer", RANKS + (staged ? INVOCATIONS * RANKS : 0));
    assertThat(refused.get("clEnqueueNDRangeKernel")).isGreaterThanOrEqualTo(INVOCATIONS * RANKS);
    assertThat(refused.get(apart ? "clFinish" : "clFlush")).isPositive();
    assertThat(refused.get("clCreateKernel")).isGreaterThanOrEqualTo(RANKS);
  }

  /** From its error on a lost device refuses everything. */
  @ParameterizedTest
  @MethodSource("setups")
  void aLostDeviceEndsItsGroupAndNoOther(Placement placement, Transport transport) {
    int lost =
        everyOne(
            placement,
            transport,
            "clEnqueueNDRangeKernel",
            CL_DEVICE_NOT_AVAILABLE,
            error -> assertThat(error).hasMessageContaining("clinfo"));
    assertThat(lost).isGreaterThanOrEqualTo(INVOCATIONS * RANKS);
  }

  /** A driver that does not take its own binary compiles again: no error at all. */
  @ParameterizedTest
  @MethodSource("setups")
  void aRefusedBinaryIsCompiledAgain(Placement placement, Transport transport) {
    FaultPlan refusal = FaultPlan.refuse("clCreateProgramWithBinary", 0, CL_LINK_PROGRAM_FAILURE);
    assertThat(run(spec(placement, transport).faults(refusal).build())).isNull();
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  /** What is to hold of an error. */
  private interface Check {
    void accept(DriverException error);
  }

  /** How many calls there were to refuse. */
  private int everyOne(
      Placement placement, Transport transport, String call, int code, Check check) {
    int most = call.equals("clGetEventInfo") ? MOST_POLLS : Integer.MAX_VALUE;
    for (int i = 0; i < most; i++) {
      String what = "%s %s: %s %d".formatted(placement, transport, call, i);
      long startNs = System.nanoTime();
      BackendException error =
          run(spec(placement, transport).faults(FaultPlan.refuse(call, i, code)).build());
      long elapsedNs = System.nanoTime() - startNs;
      if (error == null) {
        return i;
      }
      DriverException cause = ofDriver(error);
      assertThat(cause.call()).as(what).isEqualTo(call);
      assertThat(cause.code()).as(what).isEqualTo(code);
      assertThat(cause.device()).as(what).startsWith(pocl + " (");
      assertThat(error)
          .as(what)
          .hasMessageContaining(call + " gave " + ErrorCode.name(code) + " on " + pocl);
      assertThat(error.getSuppressed()).as(what).isEmpty();
      check.accept(cause);
      assertThat(LiveObjects.snapshot()).as(what).isEmpty();
      assertThat(elapsedNs).as(what).isLessThan(DEADLINE.toNanos());
      assertThat(run(spec(placement, transport).build())).as("after " + what).isNull();
    }
    return most;
  }

  /** A rank's thread hands its driver's error on in one of the group's. */
  private static DriverException ofDriver(BackendException error) {
    if (error instanceof DriverException own) {
      return own;
    }
    if (error.getCause() instanceof DriverException handedOn) {
      return handedOn;
    }
    throw new AssertionError("no error of the driver", error);
  }

  private GroupSpec.Builder spec(Placement placement, Transport transport) {
    return GroupSpec.builder(pocl, RANKS)
        .placement(placement)
        .transport(transport)
        .precision(Precision.BF16)
        .deadline(DEADLINE)
        .capacityBytes(2L * COUNT);
  }

  /** All-reduces, whose bytes must be right if there is no error; else the error. */
  private static @Nullable BackendException run(GroupSpec spec) {
    byte[][] inputs = TestVectors.mixed(Precision.BF16.element(), RANKS, 5).vectors(COUNT);
    byte[][] expected = new ReferenceSimulator(SCHEDULE, Precision.BF16).run(inputs);
    try (Group group = BACKEND.open(spec)) {
      Collective collective = group.prepare(SCHEDULE, Operands.OUT_OF_PLACE);
      for (int rank = 0; rank < RANKS; rank++) {
        group.write(rank, DataBuffer.SEND, inputs[rank]);
      }
      for (int i = 0; i < INVOCATIONS; i++) {
        collective.enqueue();
      }
      group.await();
      for (int rank = 0; rank < RANKS; rank++) {
        byte[] actual = new byte[2 * COUNT];
        group.read(rank, DataBuffer.RECV, 0, actual);
        assertThat(Arrays.mismatch(actual, expected[rank])).as("rank %d", rank).isEqualTo(-1);
      }
      return null;
    } catch (BackendException e) {
      return e;
    }
  }
}
