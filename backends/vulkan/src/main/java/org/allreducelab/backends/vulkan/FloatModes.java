package org.allreducelab.backends.vulkan;

/**
 * How a device's f32 addition is to be had.
 *
 * @param denormPreserve ask for DenormPreserve 32
 * @param roundingRte ask for RoundingModeRTE 32
 * @param signedZeroInfNan ask for SignedZeroInfNanPreserve 32
 * @param soft whether subnormal operands and sums need integer arithmetic, since the device flushes
 *     them
 * @param wideWords whether memory is accessed in 64-bit words: software drivers move each lane's
 *     words one by one, so half as many cost half
 */
record FloatModes(
    boolean denormPreserve,
    boolean roundingRte,
    boolean signedZeroInfNan,
    boolean soft,
    boolean wideWords) {

  /** The modes that the device reports; whether it flushes is for {@link DenormalProbe} to say. */
  static FloatModes reported(DeviceFacts facts, boolean soft) {
    return new FloatModes(
        facts.denormPreserve32(),
        facts.roundingRte32(),
        facts.signedZeroInfNan32(),
        soft,
        facts.isCpu() && facts.int64());
  }
}
