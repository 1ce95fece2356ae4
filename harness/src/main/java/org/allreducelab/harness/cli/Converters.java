package org.allreducelab.harness.cli;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Lets picocli read option values with the lab's own parsers and show their messages. */
final class Converters {
  private Converters() {}

  private abstract static class Parsing<T> implements ITypeConverter<T> {
    private final Function<String, T> parser;

    Parsing(Function<String, T> parser) {
      this.parser = parser;
    }

    @Override
    public T convert(String value) {
      try {
        return parser.apply(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  static final class Ranks extends Parsing<RankList> {
    Ranks() {
      super(RankList::parse);
    }
  }

  static final class Algorithms extends Parsing<AlgorithmList> {
    Algorithms() {
      super(AlgorithmList::parse);
    }
  }

  static final class Bytes extends Parsing<SizeList> {
    Bytes() {
      super(SizeList::bytes);
    }
  }

  static final class Counts extends Parsing<SizeList> {
    Counts() {
      super(SizeList::counts);
    }
  }

  static final class Precisions extends Parsing<PrecisionList> {
    Precisions() {
      super(PrecisionList::parse);
    }
  }

  static final class Time extends Parsing<Duration> {
    Time() {
      super(DurationText::parse);
    }
  }

  static final class Policies extends Parsing<PolicyList> {
    Policies() {
      super(PolicyList::parse);
    }
  }

  static final class InPlaces extends Parsing<InPlace> {
    InPlaces() {
      super(text -> Names.find("value", List.of(InPlace.values()), InPlace::label, text));
    }
  }

  static final class Placements extends Parsing<Placement> {
    Placements() {
      super(text -> Names.find("placement", List.of(Placement.values()), Placement::label, text));
    }
  }

  static final class Transports extends Parsing<Transport> {
    Transports() {
      super(text -> Names.find("transport", List.of(Transport.values()), Transport::label, text));
    }
  }

  static final class Syncs extends Parsing<Sync> {
    Syncs() {
      super(text -> Names.find("sync", List.of(Sync.values()), Sync::label, text));
    }
  }

  static final class Barriers extends Parsing<Barrier> {
    Barriers() {
      super(text -> Names.find("barrier", List.of(Barrier.values()), Barrier::label, text));
    }
  }

  static final class Memories extends Parsing<SharedMemory> {
    Memories() {
      super(
          text -> Names.find("memory", List.of(SharedMemory.values()), SharedMemory::label, text));
    }
  }

  static final class Formats extends Parsing<Format> {
    Formats() {
      super(text -> Names.find("format", List.of(Format.values()), Format::label, text));
    }
  }

  static final class AtLeastOne extends Parsing<Integer> {
    AtLeastOne() {
      super(text -> integer(text, 1));
    }
  }

  static final class NotNegative extends Parsing<Integer> {
    NotNegative() {
      super(text -> integer(text, 0));
    }
  }

  static final class Seed extends Parsing<Long> {
    Seed() {
      super(Seed::read);
    }

    private static Long read(String text) {
      try {
        return Long.valueOf(text);
      } catch (NumberFormatException e) {
        throw new UsageException(
            "expected a whole number from -2^63 to 2^63-1, such as 42, not '" + text + "'");
      }
    }
  }

  private static int integer(String text, int least) {
    try {
      int value = Integer.parseInt(text);
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number that is too small.
    }
    throw new UsageException(
        "expected a whole number of at least " + least + ", not '" + text + "'");
  }
}
