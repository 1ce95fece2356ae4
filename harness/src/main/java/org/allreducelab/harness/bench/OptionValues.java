package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.harness.bench.Suite.Setting;
import org.allreducelab.harness.cli.RankChoice;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.SharedOptions;
import org.allreducelab.harness.cli.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The options that choose a run's cases, as text by their names without dashes: what a suite sets,
 * overridden by what was typed. A run records them, and a resumed run reads them back, so that all
 * three are the same thing read by the same parser.
 */
final class OptionValues {
  /** Several groups of devices, which a command line gives by repeating the option. */
  private static final String GROUP_SEPARATOR = ";";

  /** Where a setting stands that was typed starts so. */
  private static final String OPTION = "--";

  /** Where a setting stands that a run recorded. */
  private static final String RECORDED = "run.json";

  private static final String INFLIGHT = "inflight";
  private static final String GRAPH = "graph";
  private static final String BASELINES = "baselines";

  private final Map<String, Setting> settings;

  private OptionValues(Map<String, Setting> settings) {
    this.settings = settings;
  }

  static OptionValues of(Suite suite, ParseResult typed) {
    Map<String, Setting> settings = new LinkedHashMap<>(suite.options());
    Map<String, Setting> overriding = typed(typed);
    if (overriding.containsKey("bytes") || overriding.containsKey("count")) {
      settings.remove("bytes");
      settings.remove("count");
    }
    settings.putAll(overriding);
    return new OptionValues(settings);
  }

  /** What a run recorded. */
  static OptionValues recorded(Map<String, String> texts) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    texts.forEach((key, text) -> settings.put(key, new Setting(text, RECORDED)));
    return new OptionValues(settings);
  }

  /** The case-choosing options among those that were typed; empty if there are none. */
  static Map<String, Setting> typed(ParseResult typed) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    for (OptionSpec option : typed.matchedOptions()) {
      String key = option.longestName().replaceFirst("^--", "");
      if (SuiteFile.OPTION_KEYS.contains(key)) {
        String text = String.join(GROUP_SEPARATOR, option.originalStringValues());
        settings.put(key, new Setting(text, OPTION + key));
      }
    }
    return settings;
  }

  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    settings.forEach((key, setting) -> texts.put(key, setting.value()));
    return texts;
  }

  /**
   * All-reduces enqueued before one wait.
   *
   * @throws UsageException if it is no number from 1 to 256
   */
  int inflight() {
    return upToMost(INFLIGHT);
  }

  /**
   * All-reduces recorded as one.
   *
   * @throws UsageException if it is no number from 1 to 256
   */
  int graph() {
    return upToMost(GRAPH);
  }

  private int upToMost(String key) {
    Setting setting = settings.get(key);
    if (setting == null) {
      return 1;
    }
    if (!setting.value().matches("[1-9]\\d{0,2}")
        || Integer.parseInt(setting.value()) > SharedOptions.MOST_IN_A_ROW) {
      throw new UsageException(
          "%s: %s must be 1 to %d, not %s"
              .formatted(setting.place(), key, SharedOptions.MOST_IN_A_ROW, setting.value()));
    }
    return Integer.parseInt(setting.value());
  }

  /**
   * Whether yardsticks are measured too.
   *
   * @throws UsageException if it is neither true nor false
   */
  boolean baselines() {
    Setting setting = settings.get(BASELINES);
    if (setting == null || setting.value().equals("true")) {
      return true;
    }
    if (!setting.value().equals("false")) {
      throw new UsageException(
          setting.place() + ": baselines must be true or false, not '" + setting.value() + "'");
    }
    return false;
  }

  /**
   * The numbers of ranks. A suite's give way to what typed devices fix ({@code vulkan:0x4}); in a
   * record it cannot be told who said which, and they agree or were given way.
   *
   * @param parsed what {@link #parse} gave
   */
  RankChoice ranks(SharedOptions parsed) {
    RankList ranks = parsed.typedRanks();
    return ranks != null && giveWay(settings.get("ranks"), settings.get("devices"))
        ? new RankChoice(null, ranks)
        : parsed.ranks(RankList.of(4));
  }

  private static boolean giveWay(@Nullable Setting ranks, @Nullable Setting devices) {
    if (ranks == null || devices == null || ranks.place().startsWith(OPTION)) {
      return false;
    }
    return devices.place().startsWith(OPTION) || devices.place().equals(RECORDED);
  }

  /**
   * The values, parsed.
   *
   * @throws UsageException if one cannot be read; the message starts with the suite's file and line
   *     where it comes from there
   */
  SharedOptions parse() {
    List<String> args = new ArrayList<>();
    settings.forEach(
        (key, setting) -> {
          if (!List.of(INFLIGHT, GRAPH, BASELINES).contains(key)) {
            for (String value : setting.value().split(GROUP_SEPARATOR, -1)) {
              args.add("--" + key + "=" + value.strip());
            }
          }
        });
    SharedOptions options = new SharedOptions();
    try {
      new CommandLine(options).parseArgs(args.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new UsageException(place(e.getArgSpec()) + e.getMessage(), e);
    }
    return options;
  }

  private String place(@Nullable ArgSpec arg) {
    if (!(arg instanceof OptionSpec option)) {
      return "";
    }
    Setting setting = settings.get(option.longestName().replaceFirst("^--", ""));
    return setting == null || setting.place().startsWith(OPTION) ? "" : setting.place() + ": ";
  }
}
