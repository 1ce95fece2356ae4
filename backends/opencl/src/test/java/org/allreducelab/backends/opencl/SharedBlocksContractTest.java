package org.allreducelab.backends.opencl;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendContractTest;
import org.allreducelab.backends.GroupSetup;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.api.Tag;

/** Ranks with contexts of their own that read each other's buffers in place. */
@Tag("opencl")
@RequiresPocl
final class SharedBlocksContractTest extends BackendContractTest {
  @Override
  protected Backend backend() {
    return new OpenClBackend(
        new Measured(device -> KernelTraits.of(device, false)), new HostBlocks());
  }

  @Override
  protected List<GroupSetup> setups() {
    String pocl = PoclCondition.devices().get(0);
    return List.of(GroupSetup.on(pocl, Placement.LOGICAL, Transport.DIRECT, Sync.PROXY));
  }
}
