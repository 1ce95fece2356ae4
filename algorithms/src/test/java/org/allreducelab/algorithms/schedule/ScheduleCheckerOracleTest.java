package org.allreducelab.algorithms.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The checker against a slow evaluator that writes every element's whole tree as a value. */
class ScheduleCheckerOracleTest {
  private static final int SCHEDULES = 300;

  /** A tree as plain data: text for its shape, leaves listed, depth and narrowings counted. */
  private record Tree(String text, List<Integer> leaves, int adds, int wires) {
    static Tree leaf(int rank) {
      return new Tree("x" + rank, List.of(rank), 0, 0);
    }

    Tree plus(Tree other) {
      List<Integer> both = new ArrayList<>(leaves);
      both.addAll(other.leaves);
      boolean inOrder = text.compareTo(other.text) <= 0;
      return new Tree(
          "(" + (inOrder ? text : other.text) + "+" + (inOrder ? other.text : text) + ")",
          both,
          1 + Math.max(adds, other.adds),
          Math.max(wires, other.wires));
    }

    Tree rounded() {
      return text.startsWith("(") ? new Tree("R" + text, leaves, adds, wires) : this;
    }

    Tree wired() {
      return text.startsWith("W") ? this : new Tree("W" + text, leaves, adds, wires + 1);
    }
  }

  static List<Precision> precisions() {
    List<Precision> precisions = new ArrayList<>();
    for (Precision preset : Precision.presets()) {
      // Without a threshold, so that short vectors narrow too.
      precisions.add(
          new Precision(
              preset.name(),
              preset.element(),
              preset.wire(),
              preset.narrowing(),
              preset.accumulate(),
              preset.ownOperand(),
              0,
              Integer.MAX_VALUE));
    }
    return precisions;
  }

  @ParameterizedTest
  @MethodSource("precisions")
  void randomSchedulesAreJudgedAlike(Precision precision) {
    Random random = new Random(42);
    int correct = 0;
    int identical = 0;
    for (int i = 0; i < SCHEDULES; i++) {
      Schedule schedule = randomSchedule(random);
      ScheduleReport report = ScheduleChecker.check(schedule, precision);
      Oracle oracle = new Oracle(schedule, precision);
      assertThat(report.correct()).as("%s", schedule).isEqualTo(oracle.correct());
      assertThat(report.identical()).as("%s", schedule).isEqualTo(oracle.identical());
      assertThat(report.addDepth()).as("%s", schedule).isEqualTo(oracle.addDepth());
      assertThat(report.wireRoundings()).as("%s", schedule).isEqualTo(oracle.wireRoundings());
      assertThat(report.snapshotRounds())
          .as("%s", schedule)
          .containsExactlyElementsOf(oracle.snapshots);
      assertThat(report.wireElementsReceived())
          .as("%s", schedule)
          .containsExactlyElementsOf(oracle.received);
      correct += report.correct() ? 1 : 0;
      identical += report.identical() ? 1 : 0;
    }
    assertThat(correct).as("the sample holds both verdicts").isBetween(10, SCHEDULES - 10);
    boolean exactOwnValues =
        precision.ownOperand() == OwnOperand.EXACT && precision.wire() != precision.element();
    assertThat(identical)
        .as("the sample holds both verdicts, except that exact own values make ranks differ")
        .isBetween(exactOwnValues ? 0 : 5, SCHEDULES - 5);
  }

  /** Random rounds; half of the schedules end with everybody folding the first round's inputs. */
  private static Schedule randomSchedule(Random random) {
    int ranks = 2 + random.nextInt(2);
    int count = 1 + random.nextInt(5);
    List<Round> rounds = new ArrayList<>();
    boolean allReduce = random.nextBoolean();
    int depth = allReduce ? 0 : 1 + random.nextInt(3);
    for (int i = 0; i < depth; i++) {
      rounds.add(randomRound(random, ranks, count));
    }
    if (allReduce) {
      List<Combine> combines = new ArrayList<>();
      int owner = random.nextInt(ranks);
      boolean direct = random.nextBoolean();
      for (int rank = 0; rank < ranks; rank++) {
        if (direct || rank == owner) {
          combines.add(new Combine(rank, new Span(0, count), shuffledRanks(random, ranks)));
        }
      }
      rounds.add(new Round(combines));
      if (!direct) {
        List<Combine> copies = new ArrayList<>();
        for (int rank = random.nextInt(2); rank < ranks; rank++) {
          copies.add(new Combine(rank, new Span(0, count), owner));
        }
        rounds.add(new Round(copies));
      }
    }
    return new Schedule(ranks, count, rounds);
  }

  private static int[] shuffledRanks(Random random, int ranks) {
    List<Integer> order = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      order.add(random.nextInt(order.size() + 1), rank);
    }
    return order.stream().mapToInt(Integer::intValue).toArray();
  }

  private static Round randomRound(Random random, int ranks, int count) {
    List<Combine> combines = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      int from = 0;
      while (from < count) {
        int length = 1 + random.nextInt(count - from);
        if (random.nextInt(3) > 0) {
          int[] operands = random.ints(1 + random.nextInt(3), 0, ranks).toArray();
          combines.add(new Combine(rank, new Span(from, length), operands));
        }
        from += length;
      }
    }
    return new Round(combines);
  }

  private static final class Oracle {
    private final Precision precision;
    private final List<List<Tree>> values = new ArrayList<>();
    final TreeSet<Integer> snapshots = new TreeSet<>();
    final List<Long> received = new ArrayList<>();

    Oracle(Schedule schedule, Precision precision) {
      this.precision = precision;
      for (int rank = 0; rank < schedule.ranks(); rank++) {
        List<Tree> vector = new ArrayList<>();
        for (int e = 0; e < schedule.count(); e++) {
          vector.add(Tree.leaf(rank));
        }
        values.add(vector);
        received.add(0L);
      }
      for (int i = 0; i < schedule.rounds().size(); i++) {
        run(schedule.rounds().get(i), i);
      }
    }

    private void run(Round round, int index) {
      List<List<Tree>> before = values.stream().map(List::copyOf).toList();
      for (Combine combine : round.combines()) {
        for (int e = combine.span().offset(); e < combine.span().end(); e++) {
          values.get(combine.rank()).set(e, fold(before, combine, e));
          if (writes(combine) && readByPeer(round, combine.rank(), e)) {
            snapshots.add(index);
          }
          received.set(
              combine.rank(),
              received.get(combine.rank())
                  + Arrays.stream(combine.operands()).filter(o -> o != combine.rank()).count());
        }
      }
    }

    private boolean narrows() {
      return precision.wire() != precision.element();
    }

    private boolean writes(Combine combine) {
      boolean selfCopy = combine.isCopy() && combine.operand(0) == combine.rank();
      return !selfCopy || (narrows() && precision.ownOperand() == OwnOperand.WIRE);
    }

    private static boolean readByPeer(Round round, int owner, int element) {
      return round.combines().stream()
          .filter(c -> c.rank() != owner)
          .filter(c -> c.span().offset() <= element && element < c.span().end())
          .anyMatch(c -> Arrays.stream(c.operands()).anyMatch(o -> o == owner));
    }

    private Tree fold(List<List<Tree>> before, Combine combine, int element) {
      boolean rounds = precision.element() != ElementType.F32;
      Tree sum = null;
      for (int operand : combine.operands()) {
        Tree value = before.get(operand).get(element);
        boolean own = operand == combine.rank();
        if (narrows() && (!own || precision.ownOperand() == OwnOperand.WIRE)) {
          value = value.wired();
        }
        sum = sum == null ? value : sum.plus(value);
        if (rounds && precision.accumulate() == Accumulate.EACH_ADD) {
          sum = sum.rounded();
        }
      }
      if (sum == null) {
        throw new AssertionError("a combine without operands");
      }
      return rounds ? sum.rounded() : sum;
    }

    boolean correct() {
      return values.stream().flatMap(List::stream).allMatch(this::hasEveryRankOnce);
    }

    private boolean hasEveryRankOnce(Tree tree) {
      return tree.leaves().size() == values.size()
          && new TreeSet<>(tree.leaves()).size() == values.size();
    }

    boolean identical() {
      return values.stream().map(v -> v.stream().map(Tree::text).toList()).distinct().count() == 1;
    }

    int addDepth() {
      return values.stream().flatMap(List::stream).mapToInt(Tree::adds).max().orElse(0);
    }

    int wireRoundings() {
      return values.stream().flatMap(List::stream).mapToInt(Tree::wires).max().orElse(0);
    }
  }
}
