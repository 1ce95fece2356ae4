package org.allreducelab.results;

import java.util.regex.Pattern;

/**
 * A name that survives every file of a run: HdrHistogram's log, JMH's JSON, a CSV column, a shell.
 *
 * <p>The one place where the alphabet of case ids, log tags, benchmark parameter values and metric
 * names is checked. HdrHistogram's own check of log tags lets spaces and commas through, and such a
 * tag is read back as nothing.
 *
 * @param text one or more of {@code A-Z a-z 0-9 . _ -}
 */
public record Tag(String text) {
  private static final Pattern ALPHABET = Pattern.compile("[A-Za-z0-9._-]+");
  private static final Pattern OUTSIDE = Pattern.compile("[^A-Za-z0-9._-]");
  private static final String FORK = ".fork";

  /**
   * @throws IllegalArgumentException if the text is empty or leaves the alphabet
   */
  public Tag {
    require("tag", text);
  }

  /**
   * Returns the text if it lies in the alphabet.
   *
   * @param what what the text is, for the message
   * @throws IllegalArgumentException if the text is empty or leaves the alphabet
   */
  public static String require(String what, String text) {
    if (!ALPHABET.matcher(text).matches()) {
      throw new IllegalArgumentException(
          what + " '" + text + "' may only hold A-Z a-z 0-9 . _ - and must not be empty");
    }
    return text;
  }

  /** Joins free texts with '-', each character outside the alphabet replaced by '_'. */
  public static Tag from(String... parts) {
    return new Tag(OUTSIDE.matcher(String.join("-", parts)).replaceAll("_"));
  }

  /** The tag of one fork's histogram in {@code latency.hlog}: {@code <case id>.fork<index>}. */
  public static Tag ofFork(ForkId fork) {
    return new Tag(fork.caseId() + FORK + fork.index());
  }

  /** The tag of a further histogram of a fork: {@code <case id>.fork<index>.<phase>}. */
  public static Tag ofPhase(ForkId fork, String phase) {
    return new Tag(ofFork(fork).text() + "." + phase);
  }

  @Override
  public String toString() {
    return text;
  }
}
