package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * What every backend must do, on every setup it can offer. A backend inherits this and gives {@link
 * #backend()} and {@link #setups()}, nothing else. The tests are in the interfaces, by theme.
 *
 * <p>Correct means the reference simulator's bytes on every rank, for data of every kind in one
 * vector. Which cases run is the whole matrix, or a covering set of about a thousand for devices
 * ({@code -Pfull} makes it the whole matrix there too).
 */
public abstract class BackendContractTest
    implements BytesContract, SequencesContract, StagingContract, FailuresContract, UseContract {

  /** The backend under test. */
  protected abstract Backend backend();

  /** The setups that it must be right on. */
  protected abstract List<GroupSetup> setups();

  /** Whether the whole matrix runs always: where it takes a minute or two, as on the CPU. */
  protected boolean wholeMatrix() {
    return false;
  }

  /** Random sequences per staging policy and setup. */
  protected int sequencesPerPolicy() {
    return 50;
  }

  @Override
  public final ContractSubject subject() {
    return new ContractSubject(
        backend(),
        setups(),
        wholeMatrix() || Boolean.getBoolean("allreducelab.fullContract"),
        sequencesPerPolicy());
  }

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }
}
