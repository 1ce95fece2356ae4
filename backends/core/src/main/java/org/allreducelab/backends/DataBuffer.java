package org.allreducelab.backends;

/** The two buffers that every rank of a group has, each of the group's capacity. */
public enum DataBuffer {
  /** Input of out-of-place collectives; never written by the group. */
  SEND,
  /** Result of every collective; also the input of in-place ones. */
  RECV
}
