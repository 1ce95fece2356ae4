package org.allreducelab.backends.opencl;

/** Device memory that several contexts of a device see. */
interface Sharing {

  /** Why there is none on a device; empty if there is. */
  String obstacle(Device device);

  /** In whose memory it is, for people. */
  String source(Device device);

  /** Begins to make such memory on a device that there is no obstacle for. */
  Blocks open(Device device);

  /** Makes blocks. */
  interface Blocks extends AutoCloseable {
    Block make(long bytes);

    @Override
    void close();
  }

  /** A block of device memory. It stays as long as a context has a buffer over it. */
  interface Block extends AutoCloseable {
    /** A buffer over it, with {@code bytes} as asked for; the caller's to close. */
    DeviceBuffer in(DeviceContext context);

    /** Whether commands must acquire such buffers before, and release them after their use. */
    boolean isExternal();

    @Override
    void close();
  }
}
