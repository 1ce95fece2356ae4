package org.allreducelab.backends;

/** Where a collective takes its input from. */
public enum Operands {
  /** Input and result are the {@link DataBuffer#RECV} buffer, as with {@code MPI_IN_PLACE}. */
  IN_PLACE,
  /** Input is the {@link DataBuffer#SEND} buffer, which stays as it is; result in RECV. */
  OUT_OF_PLACE
}
