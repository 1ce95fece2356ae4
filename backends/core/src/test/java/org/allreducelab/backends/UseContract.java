package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.junit.jupiter.api.Test;

/** What callers get wrong is refused, and what a group chose is told with its reason. */
interface UseContract extends ContractTheme {
  @Test
  default void misuseIsAnError() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              Group group =
                  subject()
                      .backend()
                      .open(setup.spec(n).precision(Precision.BF16).capacityBytes(64).build());
              Algorithm ring = Algorithms.named("ring");
              assertThatThrownBy(() -> group.prepare(ring.plan(n, 33), Operands.IN_PLACE))
                  .isInstanceOf(IllegalArgumentException.class);
              assertThatThrownBy(() -> group.prepare(ring.plan(n + 1, 8), Operands.IN_PLACE))
                  .isInstanceOf(IllegalArgumentException.class);
              assertThatThrownBy(() -> group.write(n, DataBuffer.SEND, new byte[1]))
                  .isInstanceOf(IndexOutOfBoundsException.class);
              assertThatThrownBy(() -> group.write(0, DataBuffer.SEND, new byte[65]))
                  .isInstanceOf(IndexOutOfBoundsException.class);
              assertThatThrownBy(() -> group.read(0, DataBuffer.RECV, 60, new byte[5]))
                  .isInstanceOf(IndexOutOfBoundsException.class);
              Collective c = group.prepare(ring.plan(n, 32), Operands.OUT_OF_PLACE);
              c.enqueue();
              assertThatThrownBy(() -> group.write(0, DataBuffer.SEND, new byte[1]))
                  .isInstanceOf(IllegalStateException.class);
              c.await();
              group.write(0, DataBuffer.SEND, new byte[1]);
              c.close();
              c.close();
              assertThatThrownBy(c::enqueue).isInstanceOf(BackendException.class);
              group.close();
              group.close();
              assertThatThrownBy(group::await).isInstanceOf(BackendException.class);
            });
  }

  @Test
  default void choicesComeWithReasons() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              try (Group group =
                  subject()
                      .backend()
                      .open(setup.spec(n).precision(Precision.BF16).capacityBytes(64).build())) {
                Choices choices = group.choices();
                for (Choice<?> choice :
                    List.of(
                        choices.placement(),
                        choices.transport(),
                        choices.sync(),
                        choices.barrier(),
                        choices.kernels())) {
                  assertThat(choice.reason()).isNotBlank();
                }
                assertThat(choices.transport().value())
                    .isEqualTo(
                        setup.transport() == null
                            ? choices.transport().value()
                            : setup.transport());
              }
            });
  }
}
