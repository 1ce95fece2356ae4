package org.allreducelab.backends.opencl;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.DeviceGroup;

/** Ranks on OpenCL 1.2 devices whose f32 additions round to nearest. */
public final class OpenClBackend implements Backend {
  private static final String NAME = "opencl";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Endpoint> endpoints() {
    try {
      return Devices.all().stream().map(EndpointDescription::of).toList();
    } catch (UnavailableException e) {
      return List.of();
    }
  }

  @Override
  public String absence() {
    try {
      Devices.all();
      return "";
    } catch (UnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public Group open(GroupSpec spec) {
    List<Device> devices = spec.endpoints().stream().map(Devices::named).toList();
    return open(spec, Selection.plan(spec, devices, device -> false));
  }

  static Group open(GroupSpec spec, GroupPlan plan) {
    return new DeviceGroup<>(spec, plan.choices(), NAME, new QueueEngine(spec, plan));
  }
}
