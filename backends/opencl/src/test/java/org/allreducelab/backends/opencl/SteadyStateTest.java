package org.allreducelab.backends.opencl;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.GroupSetup;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SteadyStateContractTest;
import org.junit.jupiter.api.Tag;

@Tag("opencl")
@RequiresPocl
final class SteadyStateTest extends SteadyStateContractTest {
  @Override
  protected Backend backend() {
    return new OpenClBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    String pocl = PoclCondition.devices().get(0);
    return List.of(
        GroupSetup.on(pocl, Placement.QUEUES, null, null),
        GroupSetup.on(pocl, Placement.LOGICAL, null, null),
        GroupSetup.on(pocl, Placement.SINGLE_QUEUE, null, null));
  }
}
