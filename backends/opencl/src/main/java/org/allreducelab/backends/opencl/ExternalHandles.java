package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.KHRExternalMemoryOpaqueFD.CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
import static org.lwjgl.opencl.KHRExternalSemaphoreOpaqueFD.CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;

/**
 * What a device can share with other contexts, other devices and other APIs. OpenCL imports memory
 * and never exports any.
 *
 * @param semaphoreExport semaphores that others can wait for
 * @param semaphoreImport semaphores of others
 * @param memoryImport memory of others
 */
record ExternalHandles(
    HandleTypes semaphoreExport, HandleTypes semaphoreImport, HandleTypes memoryImport) {
  /** By descriptors that only the driver which made them understands. */
  boolean exportsSemaphores() {
    return semaphoreExport.has(CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
  }

  boolean importsSemaphores() {
    return semaphoreImport.has(CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
  }

  boolean importsMemory() {
    return memoryImport.has(CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
  }
}
