package org.allreducelab.harness.doctor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.PairProbe;
import org.allreducelab.backends.probe.Place;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.Rate;
import org.allreducelab.backends.probe.Speed;
import org.allreducelab.backends.probe.WrongByte;

/**
 * A backend whose kinds of memory have the faults that they are named after. It misbehaves for
 * real: only a process of its own survives it.
 */
public final class FaultyBackend implements Backend, PairProbe {
  static final Endpoint FIRST = endpoint("faulty:0", "driver 1");
  static final Endpoint SECOND = endpoint("faulty:1", "driver 1");

  /** Copies of at least so many bytes fail. */
  static final long FAILS_FROM_BYTES = 3_563_520;

  static final Speed SPEED =
      new Speed(new Rate(12.5, 3.25), new Rate(9.5, 3), new Rate(8.5, 2), 4.5);

  static Endpoint endpoint(String id, String driver) {
    return new Endpoint(id, "Faulty", driver, "uuid of " + id, List.of(), Map.of());
  }

  @Override
  public String name() {
    return "faulty";
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(FIRST, SECOND);
  }

  @Override
  public String absence() {
    return "";
  }

  @Override
  public Group open(GroupSpec spec) {
    throw new UnsupportedOperationException("only probes");
  }

  @Override
  public Optional<PairProbe> pairProbe() {
    return Optional.of(this);
  }

  static ProbeMode mode(String memory) {
    return mode(memory, Claim.CLAIMED);
  }

  static ProbeMode mode(String memory, Claim claim) {
    return new ProbeMode(Transport.DIRECT, memory, Sync.PROXY, claim, "its query says so");
  }

  @Override
  public List<ProbeMode> modes(String from, String to) {
    List<ProbeMode> modes = new ArrayList<>();
    Stream.of(
            "good",
            "corrupts",
            "keeps-what-it-read",
            "hangs",
            "hangs-before-the-first-block",
            "crashes",
            "is-killed",
            "refuses",
            "throws",
            "says-nothing",
            "crashes-at-exit",
            "hangs-at-exit",
            "babbles-and-hangs")
        .forEach(memory -> modes.add(mode(memory)));
    return modes;
  }

  @Override
  public ProbeFinding run(
      String from, String to, ProbeMode mode, List<Block> sweep, ProbeProgress progress) {
    progress.step("open the devices");
    String fault = mode.memory();
    if (fault.equals("refuses")) {
      return ProbeFinding.failed(
          ProbeVerdict.REFUSED, "VK_ERROR_OUT_OF_DEVICE_MEMORY", "vkAllocateMemory on faulty:1");
    }
    if (fault.equals("hangs-before-the-first-block")) {
      hang();
    }
    for (Block block : sweep) {
      progress.attempt(new Attempt(Engine.COPY, block, Place.FRESH));
      if (block.bytes() >= FAILS_FROM_BYTES) {
        switch (fault) {
          case "corrupts" -> {
            return ProbeFinding.corrupt(new WrongByte(2_097_152, 0x5b, 0), "");
          }
          case "hangs" -> hang();
          case "babbles-and-hangs" -> babble();
          case "crashes" -> signal("SEGV");
          case "is-killed" -> signal("KILL");
          case "throws" -> throw new IllegalStateException("no such thing\nsecond line");
          case "says-nothing" -> Runtime.getRuntime().halt(3);
          default -> {}
        }
      }
    }
    if (fault.equals("keeps-what-it-read")) {
      progress.attempt(new Attempt(Engine.COPY, sweep.get(0), Place.REUSED));
      return ProbeFinding.corrupt(
          new WrongByte(0, 0x5b, 0x3c), "stale after the peer overwrote it");
    }
    if (fault.equals("crashes-at-exit")) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> signal("SEGV")));
    }
    if (fault.equals("hangs-at-exit")) {
      Runtime.getRuntime().addShutdownHook(new Thread(FaultyBackend::hang));
    }
    return ProbeFinding.ok(SPEED);
  }

  private static void hang() {
    while (true) {
      try {
        Thread.sleep(60_000);
      } catch (InterruptedException e) {
        // A hung driver does not listen either.
      }
    }
  }

  private static void babble() {
    while (true) {
      System.out.println("a driver that says the same for ever");
    }
  }

  private static void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(ProcessHandle.current().pid()))
          .start()
          .waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
    hang();
  }
}
