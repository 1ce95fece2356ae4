package org.allreducelab.backends;

/**
 * Makes memory of a device that other APIs import into their own contexts of that device. A backend
 * that can is found by {@link java.util.ServiceLoader}, so that no backend knows another; one whose
 * API imports memory and exports none asks for it.
 */
public interface MemoryExporter {

  /** Its API, for people. */
  String api();

  /**
   * Why it exports no memory of a device; empty if it does. Asks drivers, and makes nothing.
   *
   * @param deviceUuid 32 lower-case hexadecimal digits, the same in all APIs of a driver
   */
  String obstacle(String deviceUuid);

  /**
   * Begins to make memory of a device that there is no obstacle for.
   *
   * @throws BackendException if the driver refuses
   */
  Session open(String deviceUuid);

  /** A device in use. Its memory is closed before it. */
  interface Session extends AutoCloseable {
    /**
     * Makes memory.
     *
     * @param bytes how much is needed
     * @throws BackendException if the driver refuses
     */
    Memory memory(long bytes);

    /** Idempotent. */
    @Override
    void close();
  }

  /** A piece of device memory. What was imported of it stays after it is closed. */
  interface Memory extends AutoCloseable {
    /** Its size, at least what was asked for; who imports it says the same. */
    long bytes();

    /**
     * A new opaque file descriptor. The driver that imports it owns it; if that fails, the caller
     * closes it.
     */
    int descriptor();

    /** Idempotent. */
    @Override
    void close();
  }
}
