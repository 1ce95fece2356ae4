package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A kernel reaches as many buffers as its device takes arguments. */
@Tag("opencl")
@RequiresPocl
final class ManyRanksTest {
  private final Device pocl = Devices.named(PoclCondition.devices().get(0));

  /** More than 8 bytes of arguments a rank allow. */
  private final int tooMany = Math.toIntExact(pocl.facts().maxParameterBytes() / 8) + 1;

  private void run(String algorithm) {
    run(algorithm, tooMany, Operands.IN_PLACE);
  }

  private void run(String algorithm, int ranks, Operands operands) {
    GroupSpec spec = GroupSpec.builder(pocl.id(), ranks).capacityBytes(4096).build();
    try (Group group = new OpenClBackend().open(spec);
        Collective collective =
            group.prepare(Algorithms.named(algorithm).plan(ranks, 64), operands)) {
      collective.enqueue();
      collective.await();
    }
  }

  @Test
  void tooManyPeersAtOnceAreAnErrorThatSaysWhatIsRight() {
    assertThatThrownBy(() -> run("one-shot"))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith("a kernel over ")
        .hasMessageContaining(" takes " + pocl.facts().maxParameterBytes() + "; use fewer ranks")
        .hasMessageEndingWith("an algorithm in which a rank reads fewer peers at once");
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  /** 65 buffers: the next power of two is more than PoCL takes. */
  @Test
  void moreThanHalfOfWhatArgumentsAllowIsRead() {
    run("one-shot", 64, Operands.OUT_OF_PLACE);
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  @Test
  void thatManyRanksRunWhereEachReadsFew() {
    run("ring");
    assertThat(LiveObjects.snapshot()).isEmpty();
  }
}
