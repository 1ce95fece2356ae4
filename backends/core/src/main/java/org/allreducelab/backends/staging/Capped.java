package org.allreducelab.backends.staging;

import org.allreducelab.backends.BackendException;

/** Another policy, with a limit on what one rank may keep: beyond it the group fails. */
public final class Capped implements StagingPolicy {
  private final StagingPolicy policy;
  private final long mostBytes;

  /**
   * @param policy what decides
   * @param mostBytes the most that a rank may keep, all its buffers together
   */
  public Capped(StagingPolicy policy, long mostBytes) {
    this.policy = policy;
    this.mostBytes = mostBytes;
  }

  @Override
  public String name() {
    return policy.name();
  }

  @Override
  public long largestRequestBytes() {
    return policy.largestRequestBytes();
  }

  @Override
  public StagingRule newRule() {
    StagingRule rule = policy.newRule();
    return new StagingRule() {
      @Override
      public int buffers() {
        return rule.buffers();
      }

      @Override
      public int decide(long requestBytes, long[] capacityBytes) {
        int buffer = rule.decide(requestBytes, capacityBytes);
        long kept = 0;
        for (long capacity : capacityBytes) {
          kept += capacity;
        }
        if (kept > mostBytes) {
          throw new BackendException(
              "staging policy "
                  + policy.name()
                  + " wants "
                  + kept
                  + " bytes on a rank for a request of "
                  + requestBytes
                  + ", and at most "
                  + mostBytes
                  + " are allowed");
        }
        return buffer;
      }
    };
  }
}
