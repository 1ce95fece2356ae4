package org.allreducelab.backends.probe;

/** Hears what a probe is about to do, so that it is known should the process not survive it. */
public interface ProbeProgress {
  /** About to do something other than moving a block, in a few words. */
  void step(String what);

  /** About to move a block. */
  void attempt(Attempt attempt);
}
