package org.allreducelab.results.statistics;

import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * The latency–bandwidth model {@code t = α + β·m} fitted to times of several sizes, all sizes
 * counting alike.
 *
 * <p>Errors of times are relative: a few per cent of 10 µs and a few per cent of 10 ms. Plain least
 * squares minimises absolute errors, so the largest message decides and α comes out of its noise.
 * Here the relative residuals {@code 1 − (α + β·m)/t} are minimised, that is, 1 is regressed on 1/t
 * and m/t without intercept.
 *
 * @param alphaNs α, time of an empty message in nanoseconds
 * @param betaNsPerByte β, time of one byte more; 1/β is the bandwidth in GB/s
 * @param relativeError root mean square of the relative residuals: 0.02 means 2 % off
 */
public record AlphaBetaFit(double alphaNs, double betaNsPerByte, double relativeError) {

  /**
   * Fits the model.
   *
   * @param bytes message sizes, ≥ 0, at least two different ones
   * @param elapsedNs the times, &gt; 0, as many, and at least three
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static AlphaBetaFit of(double[] bytes, double[] elapsedNs) {
    Samples.require("bytes", bytes);
    Samples.require("elapsedNs", elapsedNs);
    int n = bytes.length;
    if (n != elapsedNs.length || n < 3) {
      throw new IllegalArgumentException(
          "need at least three times, one for each size; got " + n + ", " + elapsedNs.length);
    }
    double[] ones = new double[n];
    double[][] columns = new double[n][];
    for (int i = 0; i < n; i++) {
      if (bytes[i] < 0 || elapsedNs[i] <= 0) {
        throw new IllegalArgumentException("sizes must be at least 0 and times above 0");
      }
      ones[i] = 1;
      columns[i] = new double[] {1 / elapsedNs[i], bytes[i] / elapsedNs[i]};
    }
    if (StatUtils.min(bytes) == StatUtils.max(bytes)) {
      throw new IllegalArgumentException("need at least two different sizes");
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(ones, columns);
    double[] fitted = regression.estimateRegressionParameters();
    double squares = regression.calculateResidualSumOfSquares();
    return new AlphaBetaFit(fitted[0], fitted[1], Math.sqrt(squares / n));
  }

  /** The modelled time of a message in nanoseconds. */
  public double elapsedNs(double bytes) {
    return alphaNs + betaNsPerByte * bytes;
  }
}
