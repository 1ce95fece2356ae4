package org.allreducelab.backends.opencl;

import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.PairProbe;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeSweep;
import org.allreducelab.backends.probe.ProbeVerdict;

/**
 * Two contexts have one way to hand bytes over: commands that copy to and from host memory, with
 * the host in between. OpenCL promises it to every device, and so it is claimed of every pair.
 */
final class OpenClPairProbe implements PairProbe {
  private static final String HOST = "host";

  @Override
  public List<ProbeMode> modes(String from, String to) {
    for (String id : List.of(from, to)) {
      String obstacle = Devices.named(id).facts().obstacle();
      if (!obstacle.isEmpty()) {
        return List.of(
            mode(Sync.NATIVE, Claim.MISSING, id + ": " + obstacle),
            mode(Sync.PROXY, Claim.MISSING, id + ": " + obstacle));
      }
    }
    return List.of(
        mode(Sync.NATIVE, Claim.MISSING, "events end at a context"),
        mode(Sync.PROXY, Claim.CLAIMED, "clEnqueueReadBuffer and clEnqueueWriteBuffer"));
  }

  private static ProbeMode mode(Sync sync, Claim claim, String reason) {
    return new ProbeMode(Transport.STAGED_HOST, HOST, sync, claim, reason);
  }

  @Override
  public ProbeFinding run(
      String from, String to, ProbeMode mode, List<Block> sweep, ProbeProgress progress) {
    progress.step("make contexts and buffers");
    try (ProbeRig rig =
        new ProbeRig(Devices.named(from), Devices.named(to), ProbeSweep.bytes(sweep))) {
      return ProbeSweep.run(rig, sweep, progress);
    } catch (DriverException e) {
      return ProbeFinding.failed(
          ProbeVerdict.REFUSED, ErrorCode.name(e.code()), e.call() + " on " + e.device());
    } catch (BackendException e) {
      return ProbeFinding.failed(ProbeVerdict.REFUSED, "", String.valueOf(e.getMessage()));
    }
  }
}
