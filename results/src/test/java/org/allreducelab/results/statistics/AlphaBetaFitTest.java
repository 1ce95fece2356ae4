package org.allreducelab.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.junit.jupiter.api.Test;

class AlphaBetaFitTest {
  private static final double ALPHA_NS = 8000;
  private static final double BETA_NS_PER_BYTE = 0.1; // 10 GB/s

  @Test
  void exactTimesGiveExactParameters() {
    double[] bytes = sizes();
    AlphaBetaFit fit = AlphaBetaFit.of(bytes, times(bytes, 0, 0));
    assertThat(fit.alphaNs()).isCloseTo(ALPHA_NS, within(1e-6));
    assertThat(fit.betaNsPerByte()).isCloseTo(BETA_NS_PER_BYTE, within(1e-12));
    assertThat(fit.relativeError()).isLessThan(1e-9);
    assertThat(fit.elapsedNs(1000)).isCloseTo(8100, within(1e-6));
  }

  /**
   * Times 3 % off, 8 B to 64 MiB. Plain least squares explains them almost wholly (R² near 1), and
   * yet its α carries the noise of the largest message: 3 % of 6.7 ms, many times α itself.
   */
  @Test
  void recoversAlphaWherePlainLeastSquaresDoesNot() {
    double[] bytes = sizes();
    double[] fittedAlphas = new double[20];
    double[] plainAlphas = new double[20];
    for (int seed = 0; seed < 20; seed++) {
      double[] times = times(bytes, 0.03, seed);
      AlphaBetaFit fit = AlphaBetaFit.of(bytes, times);
      fittedAlphas[seed] = fit.alphaNs();
      assertThat(fit.betaNsPerByte()).isCloseTo(BETA_NS_PER_BYTE, within(0.05 * BETA_NS_PER_BYTE));
      assertThat(fit.relativeError()).isBetween(0.01, 0.05);

      SimpleRegression plain = new SimpleRegression();
      for (int i = 0; i < bytes.length; i++) {
        plain.addData(bytes[i], times[i]);
      }
      plainAlphas[seed] = plain.getIntercept();
      assertThat(plain.getRSquare()).isGreaterThan(0.995);
    }
    assertThat(relativeError(fittedAlphas)).isLessThan(0.02);
    assertThat(relativeError(plainAlphas)).isGreaterThan(0.3);
  }

  @Test
  void refusesWhatDeterminesNoLine() {
    double[] three = {1, 2, 3};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlphaBetaFit.of(new double[] {5, 5, 5}, three))
        .withMessageContaining("two different sizes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlphaBetaFit.of(new double[] {1, 2}, new double[] {1, 2}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlphaBetaFit.of(three, new double[] {1, 2}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlphaBetaFit.of(three, new double[] {1, 0, 2}));
  }

  /** Root mean square distance from the true α, as a share of it. */
  private static double relativeError(double[] alphas) {
    return Math.sqrt(
        Arrays.stream(alphas).map(a -> a / ALPHA_NS - 1).map(e -> e * e).average().orElseThrow());
  }

  private static double[] sizes() {
    double[] bytes = new double[24];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Math.scalb(8.0, i);
    }
    return bytes;
  }

  private static double[] times(double[] bytes, double noise, long seed) {
    Random random = new Random(seed);
    double[] times = new double[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      times[i] = (ALPHA_NS + BETA_NS_PER_BYTE * bytes[i]) * (1 + noise * random.nextGaussian());
    }
    return times;
  }
}
