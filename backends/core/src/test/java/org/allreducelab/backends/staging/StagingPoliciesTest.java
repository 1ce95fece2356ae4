package org.allreducelab.backends.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagingPoliciesTest {
  private static final long KIB = 1 << 10;

  /** One rank's buffers, as a pool keeps them. */
  private static final class Rank {
    private final StagingRule rule;
    private final long[] capacity;
    private int changes;

    Rank(String policy) {
      rule = StagingPolicies.named(policy).newRule();
      capacity = new long[rule.buffers()];
    }

    /** Makes a request and gives the capacity of the buffer that is used. */
    long request(long bytes) {
      long[] before = capacity.clone();
      int buffer = rule.decide(bytes, capacity);
      for (int b = 0; b < before.length; b++) {
        changes += before[b] == capacity[b] ? 0 : 1;
      }
      return capacity[buffer];
    }

    long resident() {
      return Arrays.stream(capacity).sum();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grow-only",
        "shrink",
        "shrink:8",
        "shrink-after",
        "shrink-after:3",
        "size-classes",
        "split",
        "split:64KiB",
        "split:1000",
        "fixed",
        "fixed:64KiB"
      })
  void namesAreReadBack(String name) {
    assertThat(StagingPolicies.named(name).name()).isEqualTo(name);
  }

  @Test
  void defaultsAreNamedWithoutParameter() {
    assertThat(StagingPolicies.named("shrink:4").name()).isEqualTo("shrink");
    assertThat(StagingPolicies.named("fixed:1024KiB").name()).isEqualTo("fixed");
    assertThat(StagingPolicies.all().stream().map(StagingPolicy::name))
        .containsExactly("grow-only", "shrink", "shrink-after", "size-classes", "split", "fixed");
  }

  @Test
  void whatIsWrongIsSaid() {
    assertThatThrownBy(() -> StagingPolicies.named("shrunk"))
        .hasMessage(
            "unknown staging policy 'shrunk'; known: grow-only, shrink[:FACTOR],"
                + " shrink-after[:CALLS], size-classes, split[:SIZE], fixed[:SIZE]");
    assertThatThrownBy(() -> StagingPolicies.named("grow-only:3"))
        .hasMessage("grow-only takes no parameter; write grow-only alone, not grow-only:3");
    assertThatThrownBy(() -> StagingPolicies.named("shrink:0"))
        .hasMessage("shrink: the factor must be at least 1, not 0");
    assertThatThrownBy(() -> StagingPolicies.named("shrink:x"))
        .hasMessage("shrink: 'x' is no whole number; write for instance shrink:8");
    assertThatThrownBy(() -> StagingPolicies.named("fixed:1MB"))
        .hasMessage("fixed: '1MB' is no size; write for instance fixed:64KiB");
  }

  @Test
  void growOnlyKeepsTheLargestRequest() {
    Rank rank = new Rank("grow-only");
    assertThat(rank.request(100)).isEqualTo(100);
    assertThat(rank.request(10_000)).isEqualTo(10_000);
    assertThat(rank.request(1)).isEqualTo(10_000);
    assertThat(rank.changes).isEqualTo(2);
  }

  @Test
  void shrinkKeepsUpToFourTimesTheRequest() {
    Rank rank = new Rank("shrink");
    rank.request(400);
    assertThat(rank.request(100)).isEqualTo(400);
    assertThat(rank.request(99)).isEqualTo(99);
    assertThat(rank.request(100)).isEqualTo(100);
    assertThat(rank.request(0)).isZero();
  }

  /** Draft 1 token, verify 8: the sizes alternate by more than 4 times. */
  @Test
  void speculativeSizesMakeShrinkReallocateAtEveryStepAndTheOthersNot() {
    int calls = 128;
    for (String policy : new String[] {"shrink-after", "size-classes", "split", "grow-only"}) {
      assertThat(changesOfSpeculation(policy, calls)).as(policy).isLessThanOrEqualTo(2);
    }
    assertThat(changesOfSpeculation("fixed", calls)).isEqualTo(1);
    assertThat(changesOfSpeculation("shrink", calls)).isEqualTo(2 * 32);
    assertThat(changesOfSpeculation("shrink:8", calls)).isLessThanOrEqualTo(2);
  }

  /** With one call per step, as the sizes come in a row. */
  @Test
  void shrinkReallocatesAtEveryCallWhereSizesAlternateFromCallToCall() {
    assertThat(changesOfSpeculation("shrink", 1)).isEqualTo(2 * 32);
    assertThat(changesOfSpeculation("shrink-after", 1)).isLessThanOrEqualTo(2);
  }

  private static int changesOfSpeculation(String policy, int callsPerStep) {
    Rank rank = new Rank(policy);
    for (int step = 0; step < 32; step++) {
      for (long request : new long[] {20 * KIB, 160 * KIB}) {
        for (int call = 0; call < callsPerStep; call++) {
          rank.request(request);
        }
      }
    }
    return rank.changes;
  }

  @Test
  void shrinkAfterWaitsForPatienceAndTakesTheLargestOfTheSmallRequests() {
    Rank rank = new Rank("shrink-after:3");
    rank.request(1000);
    assertThat(rank.request(100)).isEqualTo(1000);
    assertThat(rank.request(200)).isEqualTo(1000);
    assertThat(rank.request(50)).isEqualTo(200);
    rank.request(1000);
    rank.request(100);
    rank.request(100);
    assertThat(rank.request(250)).as("not small: counting starts again").isEqualTo(1000);
    rank.request(100);
    rank.request(100);
    assertThat(rank.request(100)).isEqualTo(100);
  }

  @Test
  void sizeClassesKeepAPowerOfTwoEach() {
    Rank rank = new Rank("size-classes");
    assertThat(rank.request(1)).isEqualTo(4096);
    assertThat(rank.request(4097)).isEqualTo(8192);
    assertThat(rank.request(8192)).isEqualTo(8192);
    assertThat(rank.request(3)).isEqualTo(4096);
    assertThat(rank.changes).isEqualTo(2);
    assertThat(rank.request(1L << 40)).isEqualTo(1L << 40);
  }

  @Test
  void splitKeepsSmallAndLargeApart() {
    Rank rank = new Rank("split:1000");
    assertThat(rank.request(1000)).isEqualTo(1000);
    assertThat(rank.request(5000)).isEqualTo(5000);
    assertThat(rank.request(10)).isEqualTo(1000);
    assertThat(rank.resident()).isEqualTo(6000);
  }

  @Test
  void fixedNeverChanges() {
    Rank rank = new Rank("fixed:1000");
    assertThat(rank.request(1)).isEqualTo(1000);
    assertThat(rank.request(1000)).isEqualTo(1000);
    assertThat(rank.request(1001)).as("too little: the pool says so").isEqualTo(1000);
    assertThat(StagingPolicies.named("fixed:1000").largestRequestBytes()).isEqualTo(1000);
    assertThat(rank.changes).isEqualTo(1);
  }

  /** What the Javadoc promises, over any sizes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "grow-only",
        "shrink",
        "shrink:9",
        "shrink-after",
        "shrink-after:2",
        "size-classes",
        "split",
        "split:5000"
      })
  void everyRequestIsMetWithinTheMemoryBound(String name) {
    Random random = new Random(5);
    Rank rank = new Rank(name);
    long largest = 0;
    for (int i = 0; i < 5000; i++) {
      long request = random.nextLong(1L << random.nextInt(1, 27));
      largest = Math.max(largest, request);
      assertThat(rank.request(request)).isGreaterThanOrEqualTo(request);
      assertThat(rank.resident()).isLessThanOrEqualTo(bound(name, request, largest));
    }
  }

  private static long bound(String name, long request, long largest) {
    return switch (name) {
      case "grow-only", "shrink-after", "shrink-after:2" -> largest;
      case "shrink" -> 4 * request;
      case "shrink:9" -> 9 * request;
      case "size-classes" -> Math.max(4 * largest, 4096);
      case "split" -> largest + (1 << 20);
      case "split:5000" -> largest + 5000;
      default -> throw new IllegalArgumentException(name);
    };
  }
}
