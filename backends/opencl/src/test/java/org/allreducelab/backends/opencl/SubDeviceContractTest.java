package org.allreducelab.backends.opencl;

import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendContractTest;
import org.allreducelab.backends.GroupSetup;
import org.allreducelab.backends.Placement;
import org.junit.jupiter.api.Tag;

/** Ranks on the halves of a device: on one of them, and on both in turn. */
@Tag("opencl")
@RequiresPocl(parts = 2)
final class SubDeviceContractTest extends BackendContractTest {
  @Override
  protected Backend backend() {
    return new OpenClBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    List<String> parts = PoclCondition.parts();
    return List.of(
        GroupSetup.on(parts.get(1), Placement.QUEUES, null, null),
        new GroupSetup(
            "two sub-devices in turn",
            n -> IntStream.range(0, n).mapToObj(rank -> parts.get(rank % 2)).toList()));
  }
}
