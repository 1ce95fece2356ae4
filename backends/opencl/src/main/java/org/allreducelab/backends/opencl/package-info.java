/**
 * Ranks on OpenCL devices: contexts, command queues and events, kernels in OpenCL C, and the choice
 * of placement, transport and synchronisation from what devices report.
 */
@NullMarked
package org.allreducelab.backends.opencl;

import org.jspecify.annotations.NullMarked;
