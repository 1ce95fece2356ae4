package org.allreducelab.harness.decode;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.harness.cli.UsageException;

/**
 * The steps of a session with a model, in order.
 *
 * @param name short, for tables
 * @param steps at least one
 */
public record Trace(String name, List<Step> steps) {
  /** Names of the built-in traces. */
  public static final List<String> NAMES =
      List.of("single-turn", "multi-turn", "chunked-prefill", "speculative", "ubatch-tail");

  private static final int TURNS = 4;
  private static final int CHUNKS = 8;
  private static final int DRAFTED = 8;
  private static final int MICRO_BATCHES = 4;
  private static final int TAIL_TOKENS = 7;

  public Trace {
    steps = List.copyOf(steps);
    if (steps.isEmpty()) {
      throw new UsageException("trace " + name + " has no step");
    }
  }

  /**
   * A built-in trace.
   *
   * @param prefill tokens of a prompt, ≥ 1
   * @param tokens tokens to decode in all, ≥ 1
   * @throws UsageException if there is none of that name
   */
  public static Trace named(String name, int prefill, int tokens) {
    return switch (name) {
      case "single-turn" -> singleTurn(prefill, tokens);
      case "multi-turn" -> multiTurn(prefill, tokens);
      case "chunked-prefill" -> chunkedPrefill(prefill, tokens);
      case "speculative" -> speculative(prefill, tokens);
      case "ubatch-tail" -> ubatchTail(prefill, tokens);
      default ->
          throw new UsageException(
              "unknown trace '"
                  + name
                  + "'; known: "
                  + String.join(", ", NAMES)
                  + ", or a trace file (docs/decode.md)");
    };
  }

  /** One prompt, then decoding. */
  private static Trace singleTurn(int prefill, int tokens) {
    List<Step> steps = new ArrayList<>();
    add(steps, Phase.PREFILL, prefill, 1);
    add(steps, Phase.DECODE, 1, tokens);
    return new Trace("single-turn", steps);
  }

  /** Four turns: a prompt and a quarter of the tokens each. */
  private static Trace multiTurn(int prefill, int tokens) {
    List<Step> steps = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      add(steps, Phase.PREFILL, prefill, 1);
      add(steps, Phase.DECODE, 1, share(tokens, TURNS, turn));
    }
    return new Trace("multi-turn", steps);
  }

  /** The prompt in eight chunks, with decode steps of other sessions between them. */
  private static Trace chunkedPrefill(int prefill, int tokens) {
    List<Step> steps = new ArrayList<>();
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      int part = share(prefill, CHUNKS, chunk);
      if (part > 0) {
        add(steps, Phase.PREFILL, part, 1);
      }
      add(steps, Phase.DECODE, 1, share(tokens, CHUNKS, chunk));
    }
    return new Trace("chunked-prefill", steps);
  }

  /** One prompt, then drafting 1 token and verifying 8 in turn: sizes alternate by 8 times. */
  private static Trace speculative(int prefill, int tokens) {
    List<Step> steps = new ArrayList<>();
    add(steps, Phase.PREFILL, prefill, 1);
    for (int round = 0; round < (tokens + DRAFTED - 1) / DRAFTED; round++) {
      add(steps, Phase.DRAFT, 1, 1);
      add(steps, Phase.VERIFY, DRAFTED, 1);
    }
    return new Trace("speculative", steps);
  }

  /** Four prompts of a full micro-batch and a tail of 7 tokens, each followed by decoding. */
  private static Trace ubatchTail(int prefill, int tokens) {
    List<Step> steps = new ArrayList<>();
    for (int batch = 0; batch < MICRO_BATCHES; batch++) {
      add(steps, Phase.PREFILL, prefill, 1);
      add(steps, Phase.PREFILL, TAIL_TOKENS, 1);
      add(steps, Phase.DECODE, 1, share(tokens, MICRO_BATCHES, batch));
    }
    return new Trace("ubatch-tail", steps);
  }

  private static int share(int total, int parts, int index) {
    return total / parts + (index < total % parts ? 1 : 0);
  }

  private static void add(List<Step> steps, Phase phase, int tokens, int times) {
    for (int i = 0; i < times; i++) {
      steps.add(new Step(phase, tokens));
    }
  }

  /** Whether a step is the first token after a prompt: what a change of capacity delays. */
  public boolean firstAfterPrefill(int index) {
    return index > 0
        && steps.get(index).phase() != Phase.PREFILL
        && steps.get(index - 1).phase() == Phase.PREFILL;
  }

  /** The most tokens that any step has. */
  public int largestTokens() {
    return steps.stream().mapToInt(Step::tokens).max().orElseThrow();
  }

  /** The different numbers of tokens, ascending. */
  public List<Integer> sizes() {
    return steps.stream().map(Step::tokens).distinct().sorted().toList();
  }

  /**
   * The steps in the alphabet of JMH parameters: runs of equal steps, {@code
   * prefill-512-1_decode-1-64}.
   */
  public String encode() {
    StringBuilder text = new StringBuilder();
    int from = 0;
    while (from < steps.size()) {
      int to = from;
      while (to < steps.size() && steps.get(to).equals(steps.get(from))) {
        to++;
      }
      Step step = steps.get(from);
      text.append(text.isEmpty() ? "" : "_")
          .append(step.phase().label())
          .append('-')
          .append(step.tokens())
          .append('-')
          .append(to - from);
      from = to;
    }
    return text.toString();
  }

  /** What {@link #encode} came from. */
  public static Trace decode(String name, String text) {
    List<Step> steps = new ArrayList<>();
    for (String run : text.split("_", -1)) {
      String[] parts = run.split("-", -1);
      add(steps, Phase.named(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }
    return new Trace(name, steps);
  }
}
