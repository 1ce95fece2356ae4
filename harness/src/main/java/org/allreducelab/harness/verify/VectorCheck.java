package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Operands;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.DeviceGroup;
import org.allreducelab.harness.cli.InPlace;
import org.allreducelab.harness.cli.SharedOptions;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;

/** Checks the simulator and the devices against known results. */
final class VectorCheck {
  private final SharedOptions options;
  private final List<String> problems = new ArrayList<>();
  private final Table table =
      new Table(
          Column.text("case_id", "case"),
          Column.text("algorithm", "algorithm"),
          Column.number("n", "n"),
          Column.text("precision", "precision"),
          Column.text("devices", "devices"),
          Column.text("transport", "transport"),
          Column.text("in_place", "in place"),
          Column.text("simulator", "simulator"),
          Column.text("device", "device"));
  private long runs;
  private long failures;

  VectorCheck(SharedOptions options) {
    this.options = options;
  }

  /** Runs the rows that a group can run. */
  void run(DeviceGroup group, List<VectorRow> rows, InPlace inPlace) {
    List<VectorRow> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparingInt(VectorRow::ranks).thenComparing(r -> r.precision().name()));
    for (int from = 0; from < sorted.size(); ) {
      VectorRow first = sorted.get(from);
      int to = from;
      while (to < sorted.size()
          && sorted.get(to).ranks() == first.ranks()
          && sorted.get(to).precision().equals(first.precision())) {
        to++;
      }
      runBatch(group, sorted.subList(from, to), inPlace);
      from = to;
    }
  }

  private void runBatch(DeviceGroup group, List<VectorRow> rows, InPlace inPlace) {
    int count = rows.get(0).ranks() * options.granule();
    long bytes = (long) count * rows.get(0).precision().element().bytes();
    try (TransportGroups groups =
        TransportGroups.open(
            options, theCase(group, rows.get(0)), bytes + GroupRunner.GUARD_BYTES)) {
      for (VectorRow row : rows) {
        Schedule schedule = row.algorithm().plan(row.ranks(), count, options.granule());
        Expectation simulated =
            new Expectation(schedule, row.precision(), row.vectors(options.granule()));
        for (TransportGroup transport : groups.all()) {
          for (Operands operands : inPlace.operands()) {
            check(group, row, simulated, transport, operands);
          }
        }
      }
    }
  }

  Case theCase(DeviceGroup group, VectorRow row) {
    return new Case(
        group,
        row.ranks(),
        row.precision(),
        row.algorithm(),
        row.ranks() * options.granule(),
        Operands.OUT_OF_PLACE);
  }

  private void check(
      DeviceGroup group,
      VectorRow row,
      Expectation simulated,
      TransportGroup transport,
      Operands operands) {
    RankVectors simulator = RankVectors.all(simulated.results());
    Where simulatorFault = firstFault(row, simulator);
    String device = Verdict.FAILED.label();
    String problem = "not run: " + transport.whyNotRun();
    GroupRunner runner = transport.runner();
    if (runner != null) {
      try {
        GroupRunner.Outcome outcome =
            runner.run(simulated.schedule(), operands, simulated.inputs());
        Where fault = firstFault(row, outcome.vectors());
        Where shown = fault.rank() >= 0 ? fault : simulatorFault;
        device =
            (fault.rank() >= 0 || outcome.overrunRank() >= 0 ? Verdict.WRONG : Verdict.EXACT)
                .label();
        problem =
            outcome.overrunRank() >= 0
                ? "rank " + outcome.overrunRank() + ": memory beyond the vector was written"
                : values(row, shown, simulator, outcome.vectors());
      } catch (BackendException e) {
        problem = String.valueOf(e.getMessage());
        transport.reopen(problem);
      }
    }
    boolean exact = simulatorFault.rank() < 0 && device.equals(Verdict.EXACT.label());
    runs++;
    if (!exact) {
      failures++;
      problems.add(title(group, row, transport, operands) + ": " + problem);
    }
    table.row(
        row.id(),
        row.algorithm().name(),
        row.ranks(),
        row.precision().name(),
        group.label(),
        transport.label(),
        operands == Operands.IN_PLACE,
        (simulatorFault.rank() < 0 ? Verdict.EXACT : Verdict.WRONG).label(),
        device);
  }

  /** A rank and an element; -1 for none. */
  private record Where(int rank, int element) {}

  private Where firstFault(VectorRow row, RankVectors vectors) {
    ElementType type = row.precision().element();
    for (int i = 0; i < vectors.ranks().size(); i++) {
      for (int e = 0; e < row.ranks() * options.granule(); e++) {
        if (type.get(vectors.vectors().get(i), e) != row.expectedAt(e, options.granule())) {
          return new Where(vectors.ranks().get(i), e);
        }
      }
    }
    return new Where(-1, -1);
  }

  private String values(VectorRow row, Where where, RankVectors simulator, RankVectors device) {
    if (where.rank() < 0) {
      return "";
    }
    ElementType type = row.precision().element();
    byte[] simulated = simulator.vectors().get(where.rank());
    int local = device.ranks().indexOf(where.rank());
    return String.format(
        "chunk %d, rank %d, element %d: expected %s, simulator %s, device %s",
        where.element() / options.granule(),
        where.rank(),
        where.element(),
        Bits.hex(type, row.expectedAt(where.element(), options.granule())),
        Bits.hex(type, type.get(simulated, where.element())),
        local < 0
            ? "not here"
            : Bits.hex(type, type.get(device.vectors().get(local), where.element())));
  }

  private static String title(
      DeviceGroup group, VectorRow row, TransportGroup transport, Operands operands) {
    return "WRONG  "
        + row.id()
        + " ("
        + row.where()
        + "), "
        + row.algorithm().name()
        + ", "
        + row.ranks()
        + " ranks, "
        + row.precision().name()
        + ", "
        + group.label()
        + ", "
        + transport.label()
        + (operands == Operands.IN_PLACE ? ", in place" : ", out of place");
  }

  Table table() {
    return table;
  }

  List<String> problems() {
    return problems;
  }

  long runs() {
    return runs;
  }

  long failures() {
    return failures;
  }
}
