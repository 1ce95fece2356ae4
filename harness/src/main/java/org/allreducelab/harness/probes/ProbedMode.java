package org.allreducelab.harness.probes;

import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.Speed;
import org.allreducelab.backends.probe.WrongByte;
import org.jspecify.annotations.Nullable;

/**
 * One mode of a directed pair, and how it did.
 *
 * @param transport the transport that would use it
 * @param memory the kind of memory
 * @param sync how the reader learns that bytes are there
 * @param claim what the drivers say
 * @param verdict how it did
 * @param code a signal or the driver's own name of an error, or empty
 * @param detail one line for people, or empty
 * @param attempt the block that was being moved when it failed, if one was
 * @param wrongByte the first wrong byte, if one is
 * @param speed if it works
 * @param probedAt when, ISO 8601 in UTC; empty if it was not tried
 */
public record ProbedMode(
    Transport transport,
    String memory,
    Sync sync,
    Claim claim,
    ProbeVerdict verdict,
    String code,
    String detail,
    @Nullable Attempt attempt,
    @Nullable WrongByte wrongByte,
    @Nullable Speed speed,
    String probedAt) {

  /** One that is not tried. */
  public static ProbedMode notClaimed(ProbeMode mode) {
    return new ProbedMode(
        mode.transport(),
        mode.memory(),
        mode.sync(),
        mode.claim(),
        ProbeVerdict.NOT_CLAIMED,
        "",
        mode.reason(),
        null,
        null,
        null,
        "");
  }

  /** Whether it is this mode. */
  public boolean is(ProbeMode mode) {
    return memory.equals(mode.memory()) && sync == mode.sync();
  }

  /** Whether the drivers say that it works, and it does not. */
  public boolean faulty() {
    return claim == Claim.CLAIMED && verdict != ProbeVerdict.OK;
  }

  /** Whether it was tried and does not work. */
  public boolean bad() {
    return verdict != ProbeVerdict.OK && verdict != ProbeVerdict.NOT_CLAIMED;
  }

  /** Everything known of it in one line, for instance {@code corrupt: kernel of 4 bytes at …}. */
  public String explanation() {
    StringBuilder text = new StringBuilder(verdict.label());
    if (!code.isEmpty()) {
      text.append(" (").append(code).append(')');
    }
    String separator = ": ";
    if (attempt != null) {
      text.append(separator).append(attempt);
      separator = "; ";
    }
    if (wrongByte != null) {
      text.append(separator)
          .append("byte ")
          .append(wrongByte.index())
          .append(" is 0x%02x, not 0x%02x".formatted(wrongByte.actual(), wrongByte.expected()));
      separator = "; ";
    }
    if (!detail.isEmpty()) {
      text.append(separator).append(detail);
    }
    return text.toString();
  }
}
