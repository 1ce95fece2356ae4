package org.allreducelab.harness.verify;

import java.util.Arrays;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.ErrorBound;
import org.allreducelab.algorithms.numerics.RoundingDepth;
import org.allreducelab.algorithms.schedule.ScheduleChecker;
import org.allreducelab.algorithms.schedule.ScheduleReport;
import org.jspecify.annotations.Nullable;

/**
 * A result judged.
 *
 * @param verdict the worst verdict of any element
 * @param differing number of (rank, element) pairs whose bits differ from the simulator's
 * @param rank a rank with an element of the worst verdict; -1 if all are exact
 * @param element the first such element of that rank; -1 if all are exact
 */
record Judgement(Verdict verdict, long differing, int rank, int element) {
  private static final Judgement EXACT = new Judgement(Verdict.EXACT, 0, -1, -1);

  /** Judges vectors against what must come out. */
  static Judgement of(Expectation expected, RankVectors actual) {
    ElementType type = expected.precision().element();
    Judgement worst = EXACT;
    long differing = 0;
    @Nullable ErrorBound bound = null;
    for (int i = 0; i < actual.ranks().size(); i++) {
      int rank = actual.ranks().get(i);
      byte[] want = expected.results()[rank];
      byte[] got = actual.vectors().get(i);
      if (Arrays.equals(want, got)) {
        continue;
      }
      for (int element = 0; element < expected.schedule().count(); element++) {
        int wanted = type.get(want, element);
        int bits = type.get(got, element);
        if (wanted == bits) {
          continue;
        }
        differing++;
        bound = bound == null ? bound(expected) : bound;
        Verdict verdict = judge(type, wanted, bits, bound, expected.inputs(), element);
        if (verdict.compareTo(worst.verdict) > 0) {
          worst = new Judgement(verdict, 0, rank, element);
        }
      }
    }
    return new Judgement(worst.verdict, differing, worst.rank, worst.element);
  }

  private static Verdict judge(
      ElementType type, int wanted, int bits, ErrorBound bound, byte[][] inputs, int element) {
    if (type.isNan(wanted) && type.isNan(bits)) {
      return Verdict.NAN_CLASS;
    }
    int[] operands = new int[inputs.length];
    for (int rank = 0; rank < operands.length; rank++) {
      operands[rank] = type.get(inputs[rank], element);
    }
    return bound.admits(bits, operands) ? Verdict.BOUNDED : Verdict.WRONG;
  }

  private static ErrorBound bound(Expectation expected) {
    ScheduleReport report = ScheduleChecker.check(expected.schedule(), expected.precision());
    int adding =
        (int)
            expected.schedule().rounds().stream()
                .filter(r -> r.combines().stream().anyMatch(c -> !c.isCopy()))
                .count();
    RoundingDepth depth =
        new RoundingDepth(
            report.addDepth(), Math.min(adding, report.addDepth()), report.wireRoundings());
    return ErrorBound.of(
        expected.precision(), expected.schedule().count(), expected.schedule().ranks(), depth);
  }
}
