package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL20.CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
import static org.lwjgl.opencl.CL20.CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
import static org.lwjgl.opencl.CL20.CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.Capability;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.device.WaitCosts;

/** Tells people what a device can do, with the source of each fact. */
final class EndpointDescription {
  private EndpointDescription() {}

  static Endpoint of(Device device) {
    DeviceFacts f = device.facts();
    return new Endpoint(
        device.id(),
        f.name(),
        f.platform() + " " + f.driver() + ", " + f.version(),
        f.identity().isEmpty() ? device.id() + " of " + f.platform() : f.identity(),
        capabilities(f),
        properties(device));
  }

  private static List<Capability> capabilities(DeviceFacts f) {
    List<Capability> all = new ArrayList<>();
    all.add(
        new Capability(
            "groups",
            f.obstacle().isEmpty(),
            f.obstacle().isEmpty() ? "OpenCL 1.2, f32 to nearest, a compiler" : f.obstacle()));
    all.add(flag("round-to-nearest", f.roundsToNearest(), "CL_FP_ROUND_TO_NEAREST"));
    all.add(flag("denormals", f.keepsDenormals(), "CL_FP_DENORM"));
    all.add(flag("inf-nan", f.infAndNan(), "CL_FP_INF_NAN"));
    all.add(svm("svm-coarse-buffer", f, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER));
    all.add(svm("svm-fine-buffer", f, CL_DEVICE_SVM_FINE_GRAIN_BUFFER));
    all.add(svm("svm-fine-system", f, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM));
    String usm = "cl_intel_unified_shared_memory";
    boolean hasUsm = f.extensions().contains(usm);
    all.add(
        new Capability(
            "intel-unified-shared-memory",
            hasUsm,
            hasUsm ? usm : usm + " is not among the device's extensions"));
    ExternalHandles external = f.external();
    all.add(
        new Capability(
            "semaphore-export-opaque-fd",
            external.exportsSemaphores(),
            external.semaphoreExport().detail()));
    all.add(
        new Capability(
            "semaphore-import-opaque-fd",
            external.importsSemaphores(),
            external.semaphoreImport().detail()));
    all.add(
        new Capability(
            "memory-import-opaque-fd", external.importsMemory(), external.memoryImport().detail()));
    return all;
  }

  private static Capability flag(String name, boolean present, String flag) {
    return new Capability(
        name, present, flag + (present ? "" : " is not in CL_DEVICE_SINGLE_FP_CONFIG"));
  }

  private static Capability svm(String name, DeviceFacts f, long bit) {
    boolean present = (f.svm() & bit) != 0;
    return new Capability(
        name, present, "CL_DEVICE_SVM_CAPABILITIES" + (present ? "" : " lacks it"));
  }

  private static Map<String, String> properties(Device device) {
    DeviceFacts f = device.facts();
    Map<String, String> all = new LinkedHashMap<>();
    all.put("OpenCL", f.versionText());
    all.put("compute units", Integer.toString(f.computeUnits()));
    all.put("work group size", "≤ " + f.maxWorkGroupSize());
    all.put("largest allocation", f.maxAllocationBytes() / (1 << 20) + " MiB");
    all.put("kernel arguments", "≤ " + f.maxParameterBytes() + " bytes");
    all.put("sub-devices", f.parts() == 0 ? "none" : f.parts() + " equal parts");
    if (f.obstacle().isEmpty()) {
      WaitCosts costs = Measured.known(device);
      all.put(
          "waits",
          costs == null
              ? "not measured yet; the first group of three or more ranks does"
              : "queues: " + costs);
    }
    return all;
  }
}
