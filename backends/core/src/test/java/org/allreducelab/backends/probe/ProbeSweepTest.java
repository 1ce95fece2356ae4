package org.allreducelab.backends.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The sweep over a mover that says what each test has it say. */
class ProbeSweepTest {
  private static final List<Block> SWEEP = List.of(new Block(4, 0), new Block(64, 4));
  private static final WrongByte STALE = new WrongByte(0, 1, 2);

  private final List<String> told = new ArrayList<>();
  private final Scripted mover = new Scripted();

  private static final class Scripted implements ProbeSweep.Mover {
    private @Nullable WrongByte onMove;
    private @Nullable Place staleAt;
    private boolean hasWayBack = true;
    private @Nullable Exchange byCopy = new Exchange(6, null);
    private @Nullable Exchange byKernel = new Exchange(7, null);

    @Override
    public @Nullable WrongByte move(Engine engine, Block block) {
      return onMove;
    }

    @Override
    public @Nullable Wrong moveTwice(Engine engine, Reuse reuse) {
      return engine == Engine.KERNEL && reuse.place() == staleAt ? new Wrong(STALE, "old") : null;
    }

    @Override
    public double readGbPerS(Engine engine, long bytes) {
      return engine == Engine.COPY ? bytes : 2.0 * bytes;
    }

    @Override
    public OptionalDouble bothReadGbPerS(Engine engine, long bytes) {
      return hasWayBack ? OptionalDouble.of(engine == Engine.COPY ? 3 : 4) : OptionalDouble.empty();
    }

    @Override
    public @Nullable Exchange exchange(Engine engine, long bytes) {
      return engine == Engine.COPY ? byCopy : byKernel;
    }

    @Override
    public double hopUs() {
      return 5;
    }
  }

  private ProbeFinding run() {
    return ProbeSweep.run(
        mover,
        SWEEP,
        new ProbeProgress() {
          @Override
          public void step(String what) {
            told.add(what);
          }

          @Override
          public void attempt(Attempt attempt) {
            told.add(attempt.place().label());
          }
        });
  }

  private String last() {
    return told.get(told.size() - 1);
  }

  @Test
  void freshPlacesThenUsedOnesThenTheSpeed() {
    assertThat(run())
        .isEqualTo(
            ProbeFinding.ok(new Speed(new Rate(64, 128), new Rate(3, 4), new Rate(6, 7), 5)));
    assertThat(told.subList(0, 4)).containsOnly("fresh");
    assertThat(told.subList(4, 4 + 2 * Reuse.standard().size()))
        .containsOnly("reused", "neighbour");
    assertThat(last()).isEqualTo("measure hops");
  }

  @Test
  void whereTheWayBackIsMissingOneWayIsMeasured() {
    mover.hasWayBack = false;
    mover.byCopy = null;
    assertThat(run()).isEqualTo(ProbeFinding.ok(new Speed(new Rate(64, 128), null, null, 5)));
  }

  @Test
  void whatIsWrongWhileBothSidesWriteAndReadIsAFault() {
    mover.byKernel = new Exchange(7, new Wrong(STALE, "read by b"));
    assertThat(run()).isEqualTo(ProbeFinding.corrupt(STALE, "read by b"));
    assertThat(last()).isEqualTo("write and read at once on both sides, by kernel");
    mover.byCopy = new Exchange(6, new Wrong(STALE, "read by a"));
    assertThat(run()).isEqualTo(ProbeFinding.corrupt(STALE, "read by a"));
    assertThat(last()).isEqualTo("write and read at once on both sides, by copy");
  }

  @Test
  void aWrongByteEndsIt() {
    mover.onMove = new WrongByte(4, 0xa5, 1);
    assertThat(run()).isEqualTo(ProbeFinding.corrupt(mover.onMove, "outside the block"));
    assertThat(told).hasSize(1);
  }

  @Test
  void staleBytesEndItInEitherPlace() {
    for (Place place : Arrays.asList(Place.REUSED, Place.NEIGHBOUR)) {
      mover.staleAt = place;
      assertThat(run()).isEqualTo(ProbeFinding.corrupt(STALE, "old"));
      assertThat(last()).isEqualTo(place.label());
    }
  }

  @Test
  void memoryIsLargeEnoughForBoth() {
    assertThat(ProbeSweep.bytes(SWEEP)).isEqualTo(Reuse.BYTES);
    assertThat(ProbeSweep.bytes(List.of(new Block(1L << 21, 4)))).isEqualTo((1L << 21) + 4);
  }
}
