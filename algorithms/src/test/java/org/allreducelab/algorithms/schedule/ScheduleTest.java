package org.allreducelab.algorithms.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final Span FOUR = new Span(0, 4);

  private static Schedule of(Combine... combines) {
    return new Schedule(2, 4, List.of(new Round(List.of(combines))));
  }

  private static void assertRejected(String message, Combine... combines) {
    assertThatThrownBy(() -> of(combines))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("round 0: " + message);
  }

  @Test
  void ranksOperandsAndElementsMustExist() {
    assertRejected("no such rank", new Combine(2, FOUR, 0));
    assertRejected("no such operand", new Combine(0, FOUR, 1, 2));
    assertRejected("beyond 4", new Combine(0, new Span(1, 4), 1));
  }

  @Test
  void oneRankWritesAnElementOnce() {
    assertRejected(
        "one rank writes an element twice",
        new Combine(1, new Span(2, 2), 0),
        new Combine(0, FOUR, 1),
        new Combine(1, new Span(0, 3), 0));
    of(
        new Combine(1, new Span(2, 2), 0),
        new Combine(0, FOUR, 1),
        new Combine(1, new Span(0, 2), 0));
  }

  @Test
  void emptySpansMayLieAnywhere() {
    assertThat(of(new Combine(0, FOUR, 1), new Combine(0, new Span(2, 0), 1)).rounds()).hasSize(1);
  }

  @Test
  void combinesCopyTheirOperands() {
    int[] operands = {0, 1};
    Combine combine = new Combine(0, FOUR, operands);
    operands[0] = 7;
    combine.operands()[1] = 7;
    assertThat(combine.operands()).containsExactly(0, 1);
    assertThat(combine.remoteOperandCount()).isEqualTo(1);
    assertThat(combine).isEqualTo(new Combine(0, FOUR, 0, 1)).isNotEqualTo(new Combine(0, FOUR, 1));
  }

  @Test
  void combinesNeedOperandsAndRanksFromZero() {
    assertThatThrownBy(() -> new Combine(0, FOUR)).hasMessageContaining("needs an operand");
    assertThatThrownBy(() -> new Combine(-1, FOUR, 0)).hasMessageContaining("negative rank");
    assertThatThrownBy(() -> new Combine(0, FOUR, -1)).hasMessageContaining("negative operand");
  }

  @Test
  void spansIntersect() {
    assertThat(new Span(0, 4).intersect(new Span(2, 4))).isEqualTo(new Span(2, 2));
    assertThat(new Span(0, 4).overlaps(new Span(4, 4))).isFalse();
    assertThat(new Span(0, 4).overlaps(new Span(2, 0))).isFalse();
    assertThatThrownBy(() -> new Span(Integer.MAX_VALUE, 1)).hasMessageContaining("not a span");
  }

  @Test
  void roundsMayBeMadeOnDemand() {
    LazyRounds rounds = new LazyRounds(3, i -> new Round(List.of(new Combine(0, FOUR, i % 2))));
    Schedule schedule = new Schedule(2, 4, rounds);
    assertThat(schedule.rounds()).isSameAs(rounds).hasSize(3);
    assertThatThrownBy(() -> rounds.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
