package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.mixed.MixedBackend;

/**
 * Reads a value of {@code --devices}: {@code all}, or {@code DEVICE[xRANKS][,DEVICE[xRANKS]...]}
 * with DEVICE an endpoint's id or part of a device's name. As soon as one device has a number of
 * ranks, those without one have one rank, and the number of ranks of the group is fixed.
 */
final class DeviceParser {
  private static final Pattern ID = Pattern.compile("[a-z]+(:\\d{1,9}(/\\d{1,9})?)?");
  private static final Pattern WITH_RANKS = Pattern.compile("(.*[^:x]):?x(\\d{1,9})");
  private static final List<String> KNOWN_BACKENDS = List.of("cpu", "vulkan", "opencl", "mpi");
  private static final String GRAMMAR =
      "; expected cpu, vulkan:0, opencl:0 or part of a device's name, each with xRANKS if you like"
          + " (vulkan:0x4), several joined by commas, or all";

  private final Inventory inventory;

  DeviceParser(Inventory inventory) {
    this.inventory = inventory;
  }

  /** A device and how many ranks it was given, 0 for no number. */
  private record Term(Backend backend, Endpoint endpoint, int ranks) {}

  /**
   * Reads one value of the option.
   *
   * @throws UsageException if it is malformed, ambiguous, or no id and no device's name
   * @throws UnavailableException if it is an id of something that is not here
   */
  List<DeviceGroup> parse(String text) {
    if (text.strip().equals("all")) {
      List<DeviceGroup> groups = new ArrayList<>();
      for (Backend backend : inventory.backends()) {
        backend.endpoints().forEach(e -> groups.add(new DeviceGroup(backend, List.of(e), 0)));
      }
      if (groups.isEmpty()) {
        throw new UnavailableException("no device: " + inventory.present());
      }
      return groups;
    }
    List<Term> terms = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      terms.add(term(text, item.strip()));
    }
    return List.of(group(text, terms));
  }

  private static DeviceGroup group(String text, List<Term> terms) {
    List<Backend> backends = terms.stream().map(Term::backend).distinct().toList();
    Backend backend = backends.size() == 1 ? backends.get(0) : new MixedBackend(backends);
    boolean fixed = terms.stream().anyMatch(t -> t.ranks() > 0);
    List<Endpoint> devices = new ArrayList<>();
    for (Term term : terms) {
      for (int i = 0; i < Math.max(1, term.ranks()); i++) {
        devices.add(term.endpoint());
      }
      if (devices.size() > RankList.MAX) {
        throw new UsageException("'" + text + "': ranks must be 1 to " + RankList.MAX);
      }
    }
    return new DeviceGroup(backend, devices, fixed ? devices.size() : 0);
  }

  private Term term(String text, String item) {
    Matcher withRanks = WITH_RANKS.matcher(item);
    boolean idWithRanks = withRanks.matches() && isId(withRanks.group(1));
    List<Term> found = idWithRanks ? List.of() : find(item, 0);
    String name = item;
    if (found.isEmpty() && withRanks.matches()) {
      int ranks = Integer.parseInt(withRanks.group(2));
      if (ranks < 1 || ranks > RankList.MAX) {
        throw new UsageException("'" + item + "': ranks must be 1 to " + RankList.MAX);
      }
      name = withRanks.group(1);
      found = find(name, ranks);
    }
    if (found.size() > 1) {
      throw new UsageException(
          "device name '"
              + name
              + "' is ambiguous: "
              + found.stream()
                  .map(t -> t.endpoint().id() + " (" + t.endpoint().device() + ")")
                  .collect(Collectors.joining(", ")));
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    throw notFound(text, name);
  }

  private List<Term> find(String name, int ranks) {
    List<Term> named = new ArrayList<>();
    if (name.isEmpty()) {
      return named;
    }
    // Parts of a device are named after it, so an id must not be looked up as part of a name.
    boolean id = isId(name);
    for (Backend backend : id ? ofId(name) : inventory.backends()) {
      for (Endpoint endpoint : backend.endpoints()) {
        Term term = new Term(backend, endpoint, ranks);
        if (endpoint.id().equals(name)) {
          return List.of(term);
        }
        if (!id
            && endpoint.device().toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT))) {
          named.add(term);
        }
      }
    }
    return named;
  }

  /** The backend that an id names: no other one's drivers are loaded to find it. */
  private List<Backend> ofId(String id) {
    String name = id.split(":", -1)[0];
    return inventory.backends().stream().filter(b -> b.name().equals(name)).toList();
  }

  /** Whether a name is written like an endpoint's id, or is a backend's name. */
  private static boolean isId(String name) {
    return ID.matcher(name).matches() && (name.contains(":") || KNOWN_BACKENDS.contains(name));
  }

  private String noDevice(String name) {
    String backend = name.split(":", -1)[0];
    boolean built = inventory.backends().stream().anyMatch(b -> b.name().equals(backend));
    return built ? "no device " + name : "no " + backend + " backend in this build";
  }

  private RuntimeException notFound(String text, String name) {
    if (isId(name)) {
      List<String> ofBackend =
          inventory.endpoints().stream()
              .map(Endpoint::id)
              .filter(id -> id.startsWith(name + ":"))
              .collect(Collectors.toList());
      return ofBackend.isEmpty()
          ? new UnavailableException(noDevice(name) + "; " + inventory.present())
          : new UsageException(
              "'" + name + "' does not say which: " + String.join(", ", ofBackend));
    }
    if (name.isEmpty() || name.startsWith(":") || name.endsWith(":") || name.contains(":-")) {
      return new UsageException("malformed devices '" + text + "'" + GRAMMAR);
    }
    return new UsageException(
        "unknown device '" + name + "' (" + inventory.present() + ")" + GRAMMAR);
  }
}
