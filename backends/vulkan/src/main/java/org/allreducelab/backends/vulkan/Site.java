package org.allreducelab.backends.vulkan;

import org.lwjgl.vulkan.VkQueue;

/**
 * Where a rank runs.
 *
 * @param device its logical device
 * @param deviceIndex which of the group's logical devices that is
 * @param queue the queue it submits to
 * @param queueIndex which of the group's queues that is; ranks may share one
 */
record Site(LogicalDevice device, int deviceIndex, VkQueue queue, int queueIndex) {}
