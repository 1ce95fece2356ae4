package org.allreducelab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementTest {
  private static final String ENTRY =
      "[{\"mode\":\"avgt\",\"primaryMetric\":{\"score\":12.5,\"scoreError\":\"NaN\","
          + "\"scoreUnit\":\"us/op\"},\"secondaryMetrics\":"
          + "{\"gc.alloc.rate.norm\":{\"score\":0.25}}}]";

  @Test
  void allocationIsThatOfTheIterationWithNothingBesideTheOperation() {
    String iterations = "{\"gc.alloc.rate.norm\":{\"score\":1035.5,\"rawData\":[[2.6,1.3,3082.0]]}";
    Measurement measurement =
        Measurement.of(
            samples(), ENTRY.replace("{\"gc.alloc.rate.norm\":{\"score\":0.25}", iterations));
    assertThat(measurement.allocatedBytesPerOp()).isEqualTo(1.3);
  }

  @Test
  void takesScoreAndAllocationFromJmh() {
    Measurement measurement = Measurement.of(samples(), ENTRY);
    assertThat(measurement.score()).isEqualTo(new Score("avgt", 12.5, null, "us/op"));
    assertThat(measurement.allocatedBytesPerOp()).isEqualTo(0.25);
    assertThat(Measurement.of(samples(), ENTRY.replace("\"NaN\"", "0.5")).score().error())
        .isEqualTo(0.5);
    assertThat(
            Measurement.of(samples(), ENTRY.replace("gc.alloc.rate.norm", "gc.count"))
                .allocatedBytesPerOp())
        .isNull();
  }

  @Test
  void summarisesTheSamples() {
    LatencySummary latency = Measurement.of(samples(), ENTRY).latency();
    // 1 to 1000 ns lie within three significant digits: every value is exact.
    assertThat(latency).isEqualTo(new LatencySummary(1000, 1, 500.5, 500, 900, 990, 999, 1000));
  }

  @Test
  void keepsItsOwnCopyOfTheSamples() {
    Histogram histogram = samples();
    Measurement measurement = Measurement.of(histogram, ENTRY);
    histogram.reset();
    measurement.latencyNs().reset();
    assertThat(measurement.latencyNs().getTotalCount()).isEqualTo(1000);
  }

  @Test
  void refusesAnEmptyHistogram() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Measurement.of(new Histogram(3), ENTRY))
        .withMessageContaining("samples must be at least 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | no array",
        "[] | 0 entries",
        "[{},{}] | 2 entries",
        "[{}] | lacks mode",
        "[{\"mode\":\"avgt\",\"primaryMetric\":{\"score\":\"NaN\"}}] | primaryMetric.score",
        "[ | not JMH's JSON"
      })
  void refusesWhatIsNotOneResultOfJmh(String json, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Measurement.of(samples(), json))
        .withMessageContaining(message);
  }

  private static Histogram samples() {
    Histogram histogram = new Histogram(3);
    for (int ns = 1; ns <= 1000; ns++) {
      histogram.recordValue(ns);
    }
    return histogram;
  }
}
