package org.allreducelab.harness.cli;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Capability;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;

/** A backend that only lists endpoints. */
public record FakeBackend(String name, List<Endpoint> endpoints, String absence)
    implements Backend {

  /** A backend with endpoints {@code id=device}. */
  public static FakeBackend with(String name, String... devices) {
    List<Endpoint> endpoints =
        Stream.of(devices)
            .map(d -> d.split("=", 2))
            .map(
                d ->
                    new Endpoint(
                        d[0],
                        d[1],
                        "driver 1",
                        "identity of " + d[0],
                        List.of(
                            new Capability("timeline", true, ""),
                            new Capability("export", false, "no extension, \"really\"")),
                        Map.of("cores", "2")))
            .toList();
    return new FakeBackend(name, endpoints, "");
  }

  /** A backend without endpoints. */
  public static FakeBackend absent(String name, String why) {
    return new FakeBackend(name, List.of(), why);
  }

  @Override
  public Group open(GroupSpec spec) {
    throw new UnsupportedOperationException("only lists endpoints");
  }
}
