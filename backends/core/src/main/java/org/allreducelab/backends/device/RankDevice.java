package org.allreducelab.backends.device;

import java.nio.ByteBuffer;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingUse;

/**
 * One rank on a device that shares nothing with its peers: what each backend offers for groups that
 * the host drives ({@link HostDrivenEngine}).
 *
 * <p>Slots lie in host memory, one buffer per owner. A device may work in that memory, or keep a
 * copy that it fills before, and writes back after, its kernels.
 */
public interface RankDevice extends AutoCloseable {

  /** The variant of its kernels, as users read it. */
  String kernels();

  /** To what host memory must be aligned, and a multiple of what its size must be; a power of 2. */
  int hostAlignment();

  /** Fills the start of the rank's buffer. */
  void write(DataBuffer buffer, byte[] bytes);

  /** Reads from the rank's buffer, from {@code byteOffset} on. */
  void read(DataBuffer buffer, long byteOffset, byte[] into);

  /**
   * Makes memory for slots of this rank, in which every device of the group is to work or to copy.
   *
   * @param bytes how much
   * @param alignment of its start; a power of two
   * @return direct memory of the JVM, unless the device knows memory that it copies faster
   * @throws BackendException if there is no such memory left
   */
  default HostMemory slotMemory(int bytes, int alignment) {
    return HostMemory.ofJvm(bytes, alignment);
  }

  /**
   * Learns of a staging buffer of an owner: itself or a peer.
   *
   * @param buffer its number; none of that number is known of that owner
   * @param host where it lies, direct; position 0 is the first byte
   */
  void addSlots(int owner, int buffer, ByteBuffer host);

  /** Forgets a staging buffer. */
  void removeSlots(int owner, int buffer);

  /** From now on slots lie in these buffers: what is recorded next refers to them. */
  void pick(StagingUse use);

  /** Records the rank's part of a program, for the slots of the moment. */
  Work record(Program program);

  /** A rank's part of a program. */
  interface Work extends AutoCloseable {
    /**
     * Executes one of the rank's submissions from start to end. What it reads of peers' slots is in
     * host memory when it is called, what it writes to the rank's own is when it returns.
     *
     * @param submission its index in the program
     */
    void run(int submission);

    @Override
    void close();
  }

  /** A call failed: no other group should get what belongs to this one. */
  void condemn();

  /** Has the process close the group before the device's driver, should it end first. */
  void opened(Group group);

  /** The group is closed. */
  void closed(Group group);

  @Override
  void close();
}
