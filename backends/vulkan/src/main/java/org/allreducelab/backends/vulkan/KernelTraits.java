package org.allreducelab.backends.vulkan;

import org.allreducelab.backends.device.AdditionProbe;

/**
 * What the text of kernels depends on besides the fold: how a device's f32 addition is to be had,
 * and what suits its compiler.
 *
 * @param denormPreserve ask for DenormPreserve 32
 * @param roundingRte ask for RoundingModeRTE 32
 * @param signedZeroInfNan ask for SignedZeroInfNanPreserve 32
 * @param soft whether subnormal operands and sums need integer arithmetic, since the device flushes
 *     them
 * @param wideWords whether memory is accessed in 64-bit words: software drivers move each lane's
 *     words one by one, so half as many cost half
 * @param scalar whether one element is folded at a time, in a loop: a software driver that needs
 *     the soft path would compile its long integer additions for four at once for seconds
 */
record KernelTraits(
    boolean denormPreserve,
    boolean roundingRte,
    boolean signedZeroInfNan,
    boolean soft,
    boolean wideWords,
    boolean scalar) {

  /** The traits that the device reports; whether it flushes is for {@link AdditionProbe} to say. */
  static KernelTraits reported(DeviceFacts facts, boolean soft) {
    return new KernelTraits(
        facts.denormPreserve32(),
        facts.roundingRte32(),
        facts.signedZeroInfNan32(),
        soft,
        facts.isCpu() && facts.int64(),
        facts.isCpu() && soft);
  }
}
