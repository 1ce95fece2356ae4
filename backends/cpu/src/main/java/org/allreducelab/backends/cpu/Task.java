package org.allreducelab.backends.cpu;

/** One fold or copy, bound to arrays and loops: nothing is looked up when it runs. */
interface Task {
  void run();
}
