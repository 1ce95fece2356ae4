package org.allreducelab.algorithms;

/** In which order a power-of-two exchange goes through its distances. */
public enum DistanceOrder {
  /** n/2 first, then n/4, … 1. */
  DESC,
  /** 1 first, then 2, … n/2. */
  ASC
}
