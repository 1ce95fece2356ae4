package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.backends.Capability;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.UnavailableException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("opencl")
@RequiresPocl(parts = 2)
final class OpenClEndpointsTest {
  private final OpenClBackend backend = new OpenClBackend();

  private Endpoint endpoint(String id) {
    return backend.endpoints().stream().filter(e -> e.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void aDeviceIsFollowedByItsParts() {
    String pocl = PoclCondition.devices().get(0);
    List<String> ids = backend.endpoints().stream().map(Endpoint::id).toList();
    assertThat(ids).containsSubsequence(pocl, pocl + "/0", pocl + "/1");
    assertThat(endpoint(pocl + "/1").device()).isEqualTo("part 1 of 2 of " + pocl);
    assertThat(endpoint(pocl + "/1").properties()).containsEntry("sub-devices", "none");
  }

  @Test
  void capabilitiesSayWhereTheyAreKnownFrom() {
    Endpoint pocl = endpoint(PoclCondition.devices().get(0));
    assertThat(pocl.can("groups")).isTrue();
    assertThat(pocl.can("round-to-nearest")).isTrue();
    assertThat(pocl.can("denormals")).isTrue();
    assertThat(pocl.capabilities())
        .contains(
            new Capability(
                "semaphore-export-opaque-fd",
                false,
                "cl_khr_external_semaphore is not among the device's extensions"),
            new Capability(
                "memory-import-opaque-fd",
                false,
                "cl_khr_external_memory is not among the device's extensions"));
    assertThat(pocl.capabilities()).extracting(Capability::detail).noneMatch(String::isBlank);
  }

  @Test
  void anAbsentDeviceIsToldWithThePresentOnes() {
    assertThatThrownBy(() -> backend.open(GroupSpec.builder("opencl:99", 2).build()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageStartingWith("no device opencl:99; here are opencl:0 (");
  }
}
