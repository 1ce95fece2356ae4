package org.allreducelab.harness.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.EndingException;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.PairProbe;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeVerdict;

/**
 * The child: runs one probe and tells of it on standard output, in {@link ChildLines}. It ends when
 * its standard input does, so it never outlives its parent.
 */
final class ProbeMain {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private ProbeMain() {}

  /** What {@link #main} is given, in this order; then a size and an offset per block. */
  static List<String> arguments(Pair pair, ProbeMode mode, List<Block> sweep) {
    List<String> all = new ArrayList<>();
    all.add(pair.backend().name());
    all.add(pair.from().id());
    all.add(pair.to().id());
    all.add(mode.memory());
    all.add(mode.sync().label());
    for (Block block : sweep) {
      all.add(Long.toString(block.bytes()));
      all.add(Long.toString(block.offset()));
    }
    return all;
  }

  /** Runs one probe; exits with 0 if it came to an end, whatever it found. */
  public static void main(String[] args) {
    DriverShutdown.promise();
    endWithParent();
    try {
      say(ChildLines.end(probe(List.of(args))));
    } catch (EndingException e) {
      DriverShutdown.run();
      DriverShutdown.awaitEnd();
    }
    // Whether drivers survive being shut down is part of the verdict.
    DriverShutdown.run();
    System.exit(0);
  }

  private static ProbeFinding probe(List<String> args) {
    try {
      say(ChildLines.step("load the driver"));
      PairProbe probe = backend(args.get(0)).pairProbe().orElseThrow();
      String from = args.get(1);
      String to = args.get(2);
      ProbeMode mode =
          probe.modes(from, to).stream()
              .filter(m -> m.memory().equals(args.get(3)) && m.sync().label().equals(args.get(4)))
              .findFirst()
              .orElseThrow();
      List<Block> sweep = new ArrayList<>();
      for (int i = 5; i < args.size(); i += 2) {
        sweep.add(new Block(Long.parseLong(args.get(i)), Long.parseLong(args.get(i + 1))));
      }
      return probe.run(from, to, mode, sweep, new Telling());
    } catch (EndingException e) {
      throw e;
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      return ProbeFinding.failed(ProbeVerdict.CRASHED, e.getClass().getSimpleName(), words(e));
    }
  }

  private static String words(Throwable e) {
    return e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("");
  }

  private static Backend backend(String name) {
    return ServiceLoader.load(Backend.class, ProbeMain.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static final class Telling implements ProbeProgress {
    @Override
    public void step(String what) {
      DriverShutdown.requireGoingOn();
      say(ChildLines.step(what));
    }

    @Override
    public void attempt(Attempt attempt) {
      DriverShutdown.requireGoingOn();
      say(ChildLines.attempt(attempt));
    }
  }

  /** One write, so that no driver's output comes in between; nothing of ours is kept back. */
  private static void say(String line) {
    try {
      OUT.write((line + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // The parent says nothing; it is there as long as the stream is open.
                }
              } catch (IOException e) {
                // As good as the end of the stream.
              }
              // No shutdown hooks: a driver may hang, and nobody is left to end this process.
              Runtime.getRuntime().halt(1);
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }
}
