/**
 * Ranks on Vulkan devices: real ones, and the software drivers lavapipe and SwiftShader.
 *
 * <p>A rank is a queue with a timeline semaphore that counts its submissions. A program's kernels
 * become compute dispatches in command buffers that are recorded once; an invocation only writes
 * new timeline values into prepared structures and submits.
 */
@NullMarked
package org.allreducelab.backends.vulkan;

import org.jspecify.annotations.NullMarked;
