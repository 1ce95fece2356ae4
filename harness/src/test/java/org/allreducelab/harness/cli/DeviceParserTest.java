package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.UnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceParserTest {
  private final DeviceParser parser =
      new DeviceParser(
          Inventory.of(
              List.of(
                  FakeBackend.with(
                      "vulkan",
                      "vulkan:0=Radeon RX 7900",
                      "vulkan:1=Radeon RX 7600",
                      "vulkan:2=llvmpipe"),
                  FakeBackend.with("cpu", "cpu=Some Processor"),
                  FakeBackend.absent("opencl", "no ICD loader; install ocl-icd-libopencl1"))));

  private DeviceGroup one(String text) {
    return parser.parse(text).get(0);
  }

  @Test
  void ranksGoRoundRobin() {
    assertThat(one("vulkan:0,vulkan:1").endpointIds(3))
        .containsExactly("vulkan:0", "vulkan:1", "vulkan:0");
    assertThat(one("cpu").endpointIds(2)).containsExactly("cpu", "cpu");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpux4", "cpu:x4", "cpux2,cpux2", "cpux3,cpu"})
  void aNumberOfRanksIsFixed(String text) {
    assertThat(one(text).fixedRanks()).isEqualTo(4);
  }

  @Test
  void eachDeviceHasItsOwnNumberOfRanks() {
    DeviceGroup group = one("vulkan:0x2,vulkan:1");
    assertThat(group.endpointIds(3)).containsExactly("vulkan:0", "vulkan:0", "vulkan:1");
    assertThat(group.option()).isEqualTo("vulkan:0x2,vulkan:1x1");
    assertThat(one(group.option())).isEqualTo(group);
    assertThat(one("cpu,vulkan:0x2,cpux3").option()).isEqualTo("cpux1,vulkan:0x2,cpux3");
  }

  @Test
  void devicesOfSeveralBackendsMakeOneGroup() {
    DeviceGroup group = one("cpu,vulkan:2");
    assertThat(group.backend().name()).isEqualTo("mixed");
    assertThat(group.endpointIds(3)).containsExactly("cpu", "vulkan:2", "cpu");
    assertThat(group.label()).isEqualTo("cpu,vulkan:2");
    assertThat(one(group.option())).isEqualTo(group);
  }

  /** Its drivers may be slow to load, or bad guests of the process. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu", "cpux4", "cpu:x4", "vulkan:0", "vulkan:0x2,cpu"})
  void noBackendIsAskedButThoseThatAreNamed(String text) {
    Backend untouched =
        new Backend() {
          @Override
          public String name() {
            return "opencl";
          }

          @Override
          public List<Endpoint> endpoints() {
            throw new AssertionError("asked for endpoints");
          }

          @Override
          public String absence() {
            throw new AssertionError("asked why it is absent");
          }

          @Override
          public Group open(GroupSpec spec) {
            throw new AssertionError("opened");
          }
        };
    Backend vulkan = FakeBackend.with("vulkan", "vulkan:0=Radeon RX 7900");
    Backend cpu = FakeBackend.with("cpu", "cpu=Some Processor");
    assertThat(new DeviceParser(Inventory.of(List.of(untouched, vulkan, cpu))).parse(text))
        .hasSize(1);
  }

  @Test
  void allIsAGroupPerEndpointTheCpuFirst() {
    assertThat(parser.parse("all"))
        .extracting(DeviceGroup::label)
        .containsExactly("cpu", "vulkan:0", "vulkan:1", "vulkan:2");
  }

  @Test
  void partOfADeviceNameIsEnough() {
    assertThat(one("7900").label()).isEqualTo("vulkan:0");
    assertThat(one("LLVMpipex2").endpointIds(2)).containsExactly("vulkan:2", "vulkan:2");
  }

  @Test
  void anAmbiguousNameListsWhatItCouldBe() {
    assertThatThrownBy(() -> parser.parse("radeon"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("vulkan:0 (Radeon RX 7900), vulkan:1 (Radeon RX 7600)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "cpu,", "vulkan:", ":0", "vulkan:-1", "cpu,,cpu", "x4"})
  void malformedTextIsAUsageErrorWithTheGrammar(String text) {
    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("; expected cpu, vulkan:0, opencl:0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpux0", "cpux1025", "cpux1000,cpux1000", "vulkan:0x0"})
  void numbersOfRanksHaveARange(String text) {
    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("ranks must be 1 to 1024");
  }

  @ParameterizedTest
  @ValueSource(strings = {"vulkan:7", "opencl:0", "opencl", "cuda:0", "vulkan:7x4"})
  void anAbsentDeviceIsNotAUsageError(String text) {
    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("here: cpu, vulkan:0, vulkan:1, vulkan:2")
        .hasMessageContaining("no opencl: no ICD loader; install ocl-icd-libopencl1");
  }

  @Test
  void aBackendThatWasNotBuiltIsToldApartFromADeviceThatIsNotHere() {
    assertThatThrownBy(() -> parser.parse("mpi:0"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageStartingWith("no mpi backend in this build; here: cpu");
    assertThatThrownBy(() -> parser.parse("vulkan:7")).hasMessageStartingWith("no device vulkan:7");
  }

  @Test
  void aBackendAloneDoesNotSayWhich() {
    assertThatThrownBy(() -> parser.parse("vulkan"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("vulkan:0, vulkan:1, vulkan:2");
  }

  private static List<DeviceGroup> amongParts(String text) {
    return new DeviceParser(
            Inventory.of(
                List.of(
                    FakeBackend.with(
                        "opencl",
                        "opencl:0=Some Processor",
                        "opencl:0/0=part 0 of 2 of opencl:0",
                        "opencl:0/1=part 1 of 2 of opencl:0"))))
        .parse(text);
  }

  @Test
  void partsOfADeviceHaveIdsWithASlash() {
    assertThat(amongParts("opencl:0/1x2,opencl:0").get(0).endpointIds(3))
        .containsExactly("opencl:0/1", "opencl:0/1", "opencl:0");
  }

  @Test
  void aPartIsAbsentAsAWholeDeviceIs() {
    assertThatThrownBy(() -> amongParts("opencl:0/9"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageStartingWith("no device opencl:0/9; here: opencl:0, opencl:0/0");
  }

  /** Parts are named after their device's id. */
  @Test
  void aPartIsNotFoundByTheIdInItsName() {
    assertThatThrownBy(() -> amongParts("opencl"))
        .isInstanceOf(UsageException.class)
        .hasMessage("'opencl' does not say which: opencl:0, opencl:0/0, opencl:0/1");
  }

  @Test
  void anUnknownNameIsAUsageError() {
    assertThatThrownBy(() -> parser.parse("geforce"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("unknown device 'geforce'");
  }
}
