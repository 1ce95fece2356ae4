package org.allreducelab.backends.vulkan;

/**
 * How one rank's device is used.
 *
 * @param physical the device
 * @param family the queue family
 * @param traits how its f32 addition is to be had
 */
record DevicePlan(PhysicalDevice physical, QueueFamily family, KernelTraits traits) {}
