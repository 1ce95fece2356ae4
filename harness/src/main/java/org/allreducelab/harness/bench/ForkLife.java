package org.allreducelab.harness.bench;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.results.TimeParts;
import org.allreducelab.results.Verification;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * What every fork does around its timed part: it opens its objects, verifies, settles, and in the
 * end verifies the very same objects again, reports, and gives the drivers back. A state of JMH has
 * one, and calls it from its fixtures.
 *
 * @param <R> what is timed
 */
public final class ForkLife<R extends ForkRig> {
  private final Results results;
  private @Nullable R rig;
  private @Nullable Verification before;
  private @Nullable Verification after;
  private boolean measuring;

  /** What a fork has to hand over. */
  public interface Results {
    /** The samples in nanoseconds; empty if none was taken. */
    Histogram samples();

    /** Where the time goes, or null if it was not measured. */
    default @Nullable TimeParts parts() {
      return null;
    }

    /** Writes what else there is beside the report, which goes to that file. */
    default void writeBeside(Path report) {}
  }

  public ForkLife(Results results) {
    this.results = results;
  }

  /**
   * Opens the objects, verifies, and runs until the compiler is done: wrong bytes end the fork
   * before anything is timed.
   */
  public void open(Supplier<R> opening) {
    DriverShutdown.promise();
    try {
      R opened = opening.get();
      rig = opened;
      before = opened.verify();
      ForkEnd.requireExact("before", before);
      Settling.ofThisJvm().run(opened::settlingRun);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Samples count in measurement iterations only. */
  public void startIteration(IterationParams iteration) {
    measuring = iteration.getType() == IterationType.MEASUREMENT;
  }

  public boolean measuring() {
    return measuring;
  }

  /**
   * What is timed.
   *
   * @throws IllegalStateException before {@link #open}
   */
  public R rig() {
    R opened = rig;
    if (opened == null) {
      throw new IllegalStateException("not open");
    }
    return opened;
  }

  /**
   * Reports that the fork failed.
   *
   * @return {@code cause}, to be thrown
   */
  public RuntimeException failed(RuntimeException cause) {
    return ForkEnd.failed(cause, this::report);
  }

  /**
   * Verifies the very objects that were timed, reports, and frees them; nothing if they could not
   * be opened.
   *
   * @param last what else is measured before the report
   */
  public void close(Consumer<R> last) {
    R opened = rig;
    if (opened == null) {
      return;
    }
    try (opened) {
      after = opened.verify();
      ForkEnd.requireExact("after", after);
      last.accept(opened);
      report(null);
    } catch (RuntimeException e) {
      throw failed(e);
    } finally {
      // The fork ends next, and this is the thread that used the backend.
      DriverShutdown.run();
    }
  }

  private void report(@Nullable String failure) {
    String path = System.getProperty(ForkReport.PATH_PROPERTY);
    if (path == null) {
      return;
    }
    Path file = Path.of(path);
    results.writeBeside(file);
    Histogram samples = results.samples();
    R opened = rig;
    new ForkReport(
            failure,
            before,
            after,
            opened == null ? null : RecordedChoices.of(opened.choices()),
            samples.getTotalCount() == 0 ? "" : ForkReport.encode(samples),
            results.parts())
        .write(file);
  }
}
