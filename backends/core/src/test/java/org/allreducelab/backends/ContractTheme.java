package org.allreducelab.backends;

/** A part of the contract: tests of what {@link BackendContractTest} is given. */
interface ContractTheme {
  /** What is tested. */
  ContractSubject subject();
}
