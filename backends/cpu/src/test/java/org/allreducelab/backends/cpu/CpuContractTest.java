package org.allreducelab.backends.cpu;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendContractTest;
import org.allreducelab.backends.GroupSetup;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Transport;

/** The whole contract matrix, with the vector loops. */
class CpuContractTest extends BackendContractTest {
  @Override
  protected Backend backend() {
    return new CpuBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    return List.of(
        GroupSetup.on("cpu", null, Transport.DIRECT, null),
        GroupSetup.on("cpu", null, Transport.STAGED_HOST, null),
        GroupSetup.on("cpu", Placement.SINGLE_QUEUE, null, null));
  }

  @Override
  protected boolean wholeMatrix() {
    return true;
  }

  @Override
  protected int sequencesPerPolicy() {
    return 1000;
  }
}
