package org.allreducelab.backends.lowering;

import java.util.Arrays;

/** The memories of all ranks of an interpreted group. */
final class GroupMemory {
  private static final byte POISON = (byte) 0xa5;
  private static final byte[] NONE = new byte[0];

  private final byte[][] send;
  private final byte[][] recv;
  private final byte[][] slot;

  GroupMemory(int ranks, int capacityBytes, long[] slotBytes) {
    send = poisoned(ranks, capacityBytes);
    recv = poisoned(ranks, capacityBytes);
    slot = new byte[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      slot[rank] = new byte[(int) slotBytes[rank]];
      Arrays.fill(slot[rank], POISON);
    }
  }

  private static byte[][] poisoned(int ranks, int bytes) {
    byte[][] memory = new byte[ranks][bytes];
    for (byte[] ofRank : memory) {
      Arrays.fill(ofRank, POISON);
    }
    return memory;
  }

  void fill(int rank, byte[] sendBytes, byte[] recvBytes) {
    System.arraycopy(sendBytes, 0, send[rank], 0, sendBytes.length);
    System.arraycopy(recvBytes, 0, recv[rank], 0, recvBytes.length);
  }

  byte[] of(Region region) {
    return of(region.rank(), region.space());
  }

  byte[] of(int rank, Space space) {
    return switch (space) {
      case SEND -> send[rank];
      case RECV -> recv[rank];
      case SLOT -> slot[rank];
      case NEGATIVE_ZERO -> NONE;
    };
  }
}
