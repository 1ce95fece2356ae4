package org.allreducelab.backends.probe;

import org.jspecify.annotations.Nullable;

/**
 * What a probe that came to its end found.
 *
 * @param verdict how the mode did
 * @param code the raw name of what went wrong, for instance {@code VK_ERROR_DEVICE_LOST}; empty if
 *     it has none
 * @param detail one line for people, or empty
 * @param wrongByte the first wrong byte of the last attempt, with {@link ProbeVerdict#CORRUPT} only
 * @param speed with {@link ProbeVerdict#OK} only
 */
public record ProbeFinding(
    ProbeVerdict verdict,
    String code,
    String detail,
    @Nullable WrongByte wrongByte,
    @Nullable Speed speed) {

  public static ProbeFinding ok(Speed speed) {
    return new ProbeFinding(ProbeVerdict.OK, "", "", null, speed);
  }

  public static ProbeFinding corrupt(WrongByte first, String detail) {
    return new ProbeFinding(ProbeVerdict.CORRUPT, "", detail, first, null);
  }

  /** Neither ok nor corrupt. */
  public static ProbeFinding failed(ProbeVerdict verdict, String code, String detail) {
    return new ProbeFinding(verdict, code, detail, null, null);
  }
}
