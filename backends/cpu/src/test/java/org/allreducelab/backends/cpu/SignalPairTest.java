package org.allreducelab.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SignalPairTest {
  @Test
  void whatIsWrittenBeforeASignalIsSeenAfterIt() throws InterruptedException {
    SignalPair signals = new SignalPair();
    long[] plain = new long[1];
    long[] wrong = new long[1];
    int rounds = 2000;
    Thread peer =
        new Thread(
            () -> {
              for (int i = 1; i <= rounds; i++) {
                signals.await(0, i);
                if (plain[0] != i) {
                  wrong[0]++;
                }
                plain[0] = -i;
                signals.signal(1, i);
              }
            });
    peer.start();
    for (int i = 1; i <= rounds; i++) {
      plain[0] = i;
      signals.signal(0, i);
      signals.await(1, i);
      assertThat(plain[0]).isEqualTo(-i);
    }
    peer.join();
    assertThat(wrong[0]).isZero();
  }
}
