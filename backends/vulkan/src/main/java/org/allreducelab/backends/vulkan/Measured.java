package org.allreducelab.backends.vulkan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.CacheFolder;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.AdditionProbe;
import org.jspecify.annotations.Nullable;

/**
 * Measures by trying. What waits cost is kept for this process and on disk, by devices, drivers,
 * queue family, placement and sync: another driver is another file.
 */
final class Measured implements Selection.Measurements {
  /** Costs, or the exception that measuring them ended with: that is not tried again. */
  private static final Map<String, Object> KNOWN = new HashMap<>();

  private final CacheFolder folder = CacheFolder.ofUser("waits");

  @Override
  public KernelTraits traits(PhysicalDevice device, QueueFamily family) {
    return KernelTraits.reported(device.facts(), flushes(device, family));
  }

  private static boolean flushes(PhysicalDevice device, QueueFamily family) {
    DevicePlan plain = new DevicePlan(device, family, KernelTraits.reported(device.facts(), false));
    return AdditionProbe.flushes(
        device.id(),
        (spec, choices) ->
            VulkanEngine.open(
                spec, new GroupPlan(choices, List.of(plain, plain), HandleType.OPAQUE_FD, null)));
  }

  @Override
  public WaitCosts waits(List<DevicePlan> devices, Placement placement, Sync sync) {
    List<DevicePlan> some = devices.subList(0, Math.min(devices.size(), WaitRig.MOST_RANKS));
    String key = key(some, placement, sync);
    synchronized (KNOWN) {
      Object known = KNOWN.computeIfAbsent(key, k -> find(k, some, placement, sync));
      if (known instanceof WaitCosts costs) {
        return costs;
      }
      throw new BackendException(String.valueOf(known));
    }
  }

  /** What is known of a device by itself, without measuring anything; null for nothing. */
  static @Nullable WaitCosts known(
      PhysicalDevice device, QueueFamily family, Placement placement, Sync sync) {
    KernelTraits any = KernelTraits.reported(device.facts(), false);
    List<DevicePlan> four =
        Collections.nCopies(WaitRig.MOST_RANKS, new DevicePlan(device, family, any));
    return WaitCosts.parse(CacheFolder.ofUser("waits").read(file(key(four, placement, sync))));
  }

  private Object find(String key, List<DevicePlan> devices, Placement placement, Sync sync) {
    if (VulkanSettings.present().validation()) {
      return "the validation layer is on, and takes its own time";
    }
    WaitCosts kept = WaitCosts.parse(folder.read(file(key)));
    if (kept != null) {
      return kept;
    }
    try (WaitRig rig = new WaitRig(plan(devices, placement, sync))) {
      WaitCosts costs = rig.measure();
      folder.write(file(key), costs.text());
      return costs;
    } catch (BackendException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static GroupPlan plan(List<DevicePlan> devices, Placement placement, Sync sync) {
    String why = "to measure waits";
    return new GroupPlan(
        new Choices(
            new Choice<>(placement, why),
            new Choice<>(Transport.DIRECT, why),
            new Choice<>(sync, why),
            new Choice<>(Barrier.PAIRWISE, why),
            new Choice<>("none", why)),
        devices,
        HandleType.OPAQUE_FD,
        null);
  }

  private static String key(List<DevicePlan> devices, Placement placement, Sync sync) {
    return devices.stream()
            .map(
                d ->
                    String.join(
                        " ",
                        d.physical().facts().deviceUuid(),
                        d.physical().facts().driverUuid(),
                        d.physical().facts().driver(),
                        d.physical().facts().driverInfo(),
                        d.physical().facts().pipelines().name(),
                        d.family().toString()))
            .collect(Collectors.joining("\n"))
        + "\n"
        + placement.label()
        + "\n"
        + sync.label();
  }

  private static String file(String key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(key.getBytes(UTF_8)), 0, 12) + ".txt";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
