package org.allreducelab.backends;

/**
 * A well-formed request for something that is not here: an absent device, or a forced choice whose
 * capability is missing. The message names it and what is here instead.
 */
public final class UnavailableException extends BackendException {
  private static final long serialVersionUID = 1L;

  public UnavailableException(String message) {
    super(message);
  }
}
