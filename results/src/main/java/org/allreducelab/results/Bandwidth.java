package org.allreducelab.results;

/**
 * The two bandwidths people compare all-reduces by, in GB/s with GB = 1e9 bytes.
 *
 * <p>{@code algbw = bytes / time}: what the caller sees. {@code busbw = algbw · 2(n−1)/n}: what a
 * bandwidth-optimal algorithm moves through each rank's link, so it stays comparable as n grows.
 * The definitions are those of nccl-tests. One rank moves nothing: its busbw is 0.
 *
 * @param algbwGBs algorithm bandwidth, GB/s
 * @param busbwGBs bus bandwidth, GB/s
 */
public record Bandwidth(double algbwGBs, double busbwGBs) {

  /**
   * The bandwidths of one all-reduce.
   *
   * @param bytes size of one rank's vector, ≥ 0
   * @param elapsedNs time of one all-reduce, &gt; 0
   * @param ranks number of ranks, ≥ 1
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static Bandwidth of(long bytes, double elapsedNs, int ranks) {
    if (bytes < 0 || !(elapsedNs > 0) || ranks < 1) {
      throw new IllegalArgumentException(
          "no bandwidth for " + bytes + " bytes in " + elapsedNs + " ns on " + ranks + " ranks");
    }
    double algbw = bytes / elapsedNs; // bytes per ns = 1e9 bytes per s
    return new Bandwidth(algbw, algbw * (2.0 * (ranks - 1) / ranks));
  }
}
