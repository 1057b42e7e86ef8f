/**
 * Why the platform's interface gave no answer: it is away or too slow, every token is used up until `retryAt` or refused,
 * it does not take the request, or what it sent cannot be read.
 */
export type HostFailure = 'away' | 'limited' | 'unauthorized' | 'declined' | 'unreadable';

/** The message is fit for a caller: it tells neither tokens nor addresses. */
export class HostError extends Error {
  override readonly name = 'HostError';

  constructor(
    readonly failure: HostFailure,
    message: string,
    readonly retryAt?: Date,
  ) {
    super(message);
  }
}
