package org.allreducelab.harness.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The Git commit that this lab comes from.
 *
 * @param commit its full hash
 * @param dirty whether tracked files had changes that were not committed
 */
public record Revision(String commit, boolean dirty) {
  /** Set by the launcher of a bundle, which has no checkout around it; {@link #toString} form. */
  public static final String PROPERTY = "allreducelab.revision";

  /** Set by the launcher of a checkout. */
  private static final String HOME_PROPERTY = "allreducelab.home";

  private static final String DIRTY = "+changes";

  /** The checkout that the lab runs in, empty where it runs from none. */
  public static Optional<Path> checkout() {
    return Optional.ofNullable(System.getProperty(HOME_PROPERTY)).map(Path::of);
  }

  /** The revision of this lab, empty where neither a checkout nor a bundle tells it. */
  public static Optional<Revision> ofThisLab() {
    Optional<Path> checkout = checkout();
    return checkout.isPresent()
        ? ofCheckout(checkout.get())
        : Optional.ofNullable(System.getProperty(PROPERTY)).map(Revision::parse);
  }

  static Revision parse(String text) {
    return text.endsWith(DIRTY)
        ? new Revision(text.substring(0, text.length() - DIRTY.length()), true)
        : new Revision(text, false);
  }

  private static Optional<Revision> ofCheckout(Path checkout) {
    if (!Files.exists(checkout.resolve(".git"))) {
      return Optional.empty();
    }
    return git(checkout, "rev-parse", "HEAD")
        .flatMap(
            commit ->
                git(checkout, "status", "--porcelain", "--untracked-files=no")
                    .map(changes -> new Revision(commit, !changes.isEmpty())));
  }

  /** Standard output of a git command, empty where there is no git or it fails. */
  private static Optional<String> git(Path checkout, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", checkout.toString()));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0
          ? Optional.of(out)
          : Optional.empty();
    } catch (IOException noGit) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** One word: the hash, with {@code +changes} behind it where there were some. */
  @Override
  public String toString() {
    return commit + (dirty ? DIRTY : "");
  }
}
