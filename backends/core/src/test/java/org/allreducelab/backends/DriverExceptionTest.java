package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DriverExceptionTest {
  @Test
  void saysCallCodeAndDevice() {
    DriverException e = new DriverException("vulkan", "vkMap", -5, "VK_ERROR_MAP", "GPU 0", "");
    assertThat(e).hasMessage("vkMap gave VK_ERROR_MAP on GPU 0");
    assertThat(e.backend()).isEqualTo("vulkan");
    assertThat(e.call()).isEqualTo("vkMap");
    assertThat(e.code()).isEqualTo(-5);
    assertThat(e.device()).isEqualTo("GPU 0");
  }

  @Test
  void endsWithTheAdviceThereIs() {
    assertThat(new DriverException("opencl", "clMap", -6, "CL_NONE", "GPU 0", "free memory"))
        .hasMessage("clMap gave CL_NONE on GPU 0: free memory");
  }
}
