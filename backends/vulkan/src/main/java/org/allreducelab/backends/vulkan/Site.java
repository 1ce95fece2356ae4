package org.allreducelab.backends.vulkan;

import org.lwjgl.vulkan.VkQueue;

/**
 * Where a rank runs.
 *
 * @param device its logical device
 * @param deviceIndex which of the group's logical devices that is
 * @param queue the queue it submits to
 * @param queueIndex which of the group's queues that is; streams may share one
 * @param stream which of the group's streams it belongs to: ranks of one need no semaphores between
 *     them
 */
record Site(LogicalDevice device, int deviceIndex, VkQueue queue, int queueIndex, int stream) {}
