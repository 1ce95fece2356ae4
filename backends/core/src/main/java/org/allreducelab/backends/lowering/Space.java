package org.allreducelab.backends.lowering;

/** A kind of memory that a region lies in. */
public enum Space {
  /** The rank's SEND buffer; programs never write it. */
  SEND,
  /** The rank's RECV buffer. */
  RECV,
  /** The rank's staging memory. Only the owner writes it, peers read it. */
  SLOT,
  /** −0 in every element, in no memory: what an inactive rank contributes. */
  NEGATIVE_ZERO
}
