package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One measured configuration and its forks.
 *
 * @param id unique within the run, in the alphabet of {@link Tag}
 * @param benchmark name of the benchmark, in the same alphabet
 * @param devices endpoint ids in group order, for instance {@code vulkan:0}, {@code vulkan:1}
 * @param key what decides the bytes
 * @param bytes size of one rank's vector
 * @param inPlace whether input and output are the same buffer
 * @param choices how it was executed, and why so
 * @param emulated whether a device is emulated in software, so that its times say nothing about
 *     real hardware
 * @param baseline whether this is a yardstick (bare dispatch, single queue) rather than a contender
 * @param forks the forks that were run so far, by index
 */
public record CaseRecord(
    String id,
    String benchmark,
    List<String> devices,
    ResultKey key,
    long bytes,
    boolean inPlace,
    Choices choices,
    boolean emulated,
    boolean baseline,
    List<ForkRecord> forks) {

  /**
   * @throws IllegalArgumentException if a name leaves the alphabet, no device is named, a fork
   *     appears twice, or a measured contender was not verified
   */
  public CaseRecord {
    Tag.require("case id", requireNonNull(id, "id"));
    Tag.require("benchmark", requireNonNull(benchmark, "benchmark"));
    requireNonNull(key, "key");
    requireNonNull(choices, "choices");
    devices = List.copyOf(requireNonNull(devices, "devices"));
    if (devices.isEmpty() || bytes < 0) {
      throw new IllegalArgumentException(
          "case " + id + ": needs at least one device and no negative size");
    }
    forks =
        requireNonNull(forks, "forks").stream()
            .sorted(Comparator.comparingInt(ForkRecord::index))
            .toList();
    requireForks(id, baseline, forks);
  }

  /** A contender that has not run yet. */
  public static CaseRecord planned(
      String id,
      String benchmark,
      List<String> devices,
      ResultKey key,
      long bytes,
      boolean inPlace,
      boolean emulated) {
    return new CaseRecord(
        id, benchmark, devices, key, bytes, inPlace, Choices.UNKNOWN, emulated, false, List.of());
  }

  /** The same case as a yardstick: its forks need no verification. */
  public CaseRecord asBaseline() {
    return copy(choices, true, forks);
  }

  /** The same case with these choices. */
  public CaseRecord withChoices(Choices chosen) {
    return copy(chosen, baseline, forks);
  }

  /** The same case with this fork added, or in the place of the one with its index. */
  public CaseRecord withFork(ForkRecord fork) {
    List<ForkRecord> changed = new ArrayList<>(forks);
    changed.removeIf(f -> f.index() == fork.index());
    changed.add(fork);
    return copy(choices, baseline, changed);
  }

  /** The same case without the forks that a resumed run repeats. */
  public CaseRecord withDoneForks() {
    return copy(choices, baseline, forks.stream().filter(ForkRecord::done).toList());
  }

  /** The tidy table's rows of this case, one per fork. */
  public List<Row> rows() {
    return forks.stream().map(f -> Row.of(this, f)).toList();
  }

  private CaseRecord copy(Choices chosen, boolean yardstick, List<ForkRecord> changed) {
    return new CaseRecord(
        id, benchmark, devices, key, bytes, inPlace, chosen, emulated, yardstick, changed);
  }

  private static void requireForks(String id, boolean baseline, List<ForkRecord> forks) {
    for (int i = 0; i < forks.size(); i++) {
      ForkRecord fork = forks.get(i);
      if (i > 0 && forks.get(i - 1).index() == fork.index()) {
        throw new IllegalArgumentException("case " + id + ": fork " + fork.index() + " twice");
      }
      boolean verified = fork.before() != null && fork.after() != null;
      if (fork.status() == ForkStatus.OK && !baseline && !verified) {
        throw new IllegalArgumentException(
            "case " + id + ": fork " + fork.index() + " is ok but was not verified twice");
      }
    }
  }
}
