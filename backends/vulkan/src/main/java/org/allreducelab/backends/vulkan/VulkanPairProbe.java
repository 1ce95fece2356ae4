package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.PairProbe;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeSweep;
import org.allreducelab.backends.probe.ProbeVerdict;

/** Probes with the very objects that groups are made of. */
final class VulkanPairProbe implements PairProbe {

  @Override
  public List<ProbeMode> modes(String from, String to) {
    return ProbeClaims.of(device(from), device(to));
  }

  private static PhysicalDevice device(String id) {
    return SharedInstance.get().devices().stream()
        .filter(device -> device.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new UnavailableException("no device " + id));
  }

  @Override
  public ProbeFinding run(
      String from, String to, ProbeMode mode, List<Block> sweep, ProbeProgress progress) {
    try {
      ProbeRig rig =
          new ProbeRig(
              place(from),
              place(to),
              mode,
              wayBack(from, to, mode),
              ProbeSweep.bytes(sweep),
              progress);
      ProbeFinding finding = ProbeSweep.run(rig, sweep, progress);
      // After an exception work may be in flight: what it uses is left to the end of the process.
      rig.close();
      return finding;
    } catch (DriverException e) {
      return ProbeFinding.failed(
          e.code() == VK_ERROR_DEVICE_LOST ? ProbeVerdict.CRASHED : ProbeVerdict.REFUSED,
          ResultCode.name(e.code()),
          e.call() + " on " + e.device());
    } catch (BackendException e) {
      return ProbeFinding.failed(ProbeVerdict.REFUSED, "", String.valueOf(e.getMessage()));
    }
  }

  /** Nothing is tried on the way back that is promised less than the way that is probed. */
  private boolean wayBack(String from, String to, ProbeMode mode) {
    return modes(to, from).stream()
        .filter(back -> back.memory().equals(mode.memory()) && back.sync() == mode.sync())
        .anyMatch(back -> back.claim().compareTo(mode.claim()) <= 0);
  }

  private static ProbeRig.DevicePlace place(String id) {
    PhysicalDevice device = device(id);
    return new ProbeRig.DevicePlace(device, QueueChoices.family(device, null));
  }
}
