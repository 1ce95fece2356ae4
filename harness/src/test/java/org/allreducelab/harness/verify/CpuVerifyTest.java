package org.allreducelab.harness.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.staging.StagingStats;
import org.allreducelab.harness.CommandRun;
import org.allreducelab.harness.cli.Inventory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Verification of the CPU backend, with and without faults. */
class CpuVerifyTest {
  private static final Backend CPU = Inventory.load().backends().get(0);

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  @Test
  void everyAlgorithmIsExact() {
    CommandRun run =
        CommandRun.lab(
            "verify",
            "--ranks",
            "1-5",
            "--count",
            "0,1,100",
            "--precision",
            "all",
            "--in-place",
            "both");
    assertThat(run.out()).contains("all EXACT: ");
    assertThat(run.code()).isZero();
  }

  /**
   * Rank 1 publishes its part of chunk c1, elements [16,30), for rank 2; the seed puts benign data
   * at element 16, and the bit is one of its exponent.
   */
  @Test
  void aFlippedBitIsBlamedOnTheRoundThatReadsIt() {
    CommandRun run = ringWithFlippedBit(FaultPlan.flip(1, 0, 1, 6), true);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("rank 0, element 16 (gaussian): expected ")
        .containsPattern(
            "first wrong round: round 0, rank 2, element 16: "
                + "rank 1 [0-9A-F]{4} \\+ rank 2 [0-9A-F]{4} -> [0-9A-F]{4}, got ");
  }

  @Test
  void aBitThatFlipsOnceIsFoundAndCalledTransient() {
    CommandRun run = ringWithFlippedBit(FaultPlan.flip(1, 0, 1, 6), false);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("WRONG  ring, 3 ranks", "the fault is transient");
  }

  @Test
  void aStalledRankFailsWithRankOperationAndPeer() {
    CommandRun run =
        CommandRun.labOn(
            List.of(new FaultyCpu(FaultPlan.stall(1, 1), true)),
            "verify",
            "--ranks",
            "3",
            "--algorithms",
            "ring",
            "--count",
            "30",
            "--transport",
            "direct",
            "--deadline",
            "200ms");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("FAILED  ring", "deadline of 200 ms passed: ", "waiting for rank 1");
  }

  private static CommandRun ringWithFlippedBit(FaultPlan plan, boolean always) {
    return CommandRun.labOn(
        List.of(new FaultyCpu(plan, always)),
        "verify",
        "--ranks",
        "3",
        "--algorithms",
        "ring",
        "--count",
        "30",
        "--transport",
        "staged-host",
        "--seed",
        "4");
  }

  /** The CPU backend with faults: those of one group, or the same again for every schedule. */
  private record FaultyCpu(FaultPlan plan, boolean always) implements Backend {
    @Override
    public String name() {
      return CPU.name();
    }

    @Override
    public List<Endpoint> endpoints() {
      return CPU.endpoints();
    }

    @Override
    public String absence() {
      return CPU.absence();
    }

    private Group openFaulty(GroupSpec spec) {
      return CPU.open(
          GroupSpec.builder(spec.endpoints())
              .transport(spec.transport())
              .precision(spec.precision())
              .capacityBytes(spec.capacityBytes())
              .deadline(spec.deadline())
              .faults(plan)
              .build());
    }

    @Override
    public Group open(GroupSpec spec) {
      Group first = openFaulty(spec);
      return always ? new FreshGroup(first, () -> openFaulty(spec)) : first;
    }
  }

  /** Runs each schedule on a group of its own, so that every run has the fault. */
  private static final class FreshGroup implements Group {
    private final Supplier<Group> opener;
    private Group group;

    FreshGroup(Group first, Supplier<Group> opener) {
      this.group = first;
      this.opener = opener;
    }

    @Override
    public Collective prepare(Schedule schedule, Operands operands, int repetitions) {
      group.close();
      group = opener.get();
      return group.prepare(schedule, operands, repetitions);
    }

    @Override
    public int ranks() {
      return group.ranks();
    }

    @Override
    public List<Integer> localRanks() {
      return group.localRanks();
    }

    @Override
    public Choices choices() {
      return group.choices();
    }

    @Override
    public void write(int rank, DataBuffer buffer, byte[] bytes) {
      group.write(rank, buffer, bytes);
    }

    @Override
    public void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
      group.read(rank, buffer, byteOffset, into);
    }

    @Override
    public void await() {
      group.await();
    }

    @Override
    public StagingStats staging() {
      return group.staging();
    }

    @Override
    public void close() {
      group.close();
    }
  }
}
