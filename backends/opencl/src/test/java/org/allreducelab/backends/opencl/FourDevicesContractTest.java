package org.allreducelab.backends.opencl;

import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendContractTest;
import org.allreducelab.backends.GroupSetup;
import org.junit.jupiter.api.Tag;

/**
 * Ranks on four devices in turn. PoCL makes them when it is loaded, so this has a JVM of its own.
 */
@Tag("four-opencl-devices")
@RequiresPocl(devices = 4)
final class FourDevicesContractTest extends BackendContractTest {
  @Override
  protected Backend backend() {
    return new OpenClBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    List<String> devices = PoclCondition.devices();
    return List.of(
        new GroupSetup(
            "four devices in turn",
            n -> IntStream.range(0, n).mapToObj(rank -> devices.get(rank % 4)).toList()));
  }
}
