/**
 * Why GitHub's API gave no usable response:
 * `unavailable`: it failed, could not be reached or was too slow;
 * `rate-limited`: every token is used up, until `retryAt` where that is known;
 * `unauthorized`: it rejected every usable token;
 * `declined`: it rejected the request with another 4xx status;
 * `unreadable`: the response does not have the expected form.
 */
export type GitHubFailure = 'unavailable' | 'rate-limited' | 'unauthorized' | 'declined' | 'unreadable';

/** The message may be shown to a caller: it contains no token and no URL. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';

  constructor(
    readonly failure: GitHubFailure,
    message: string,
    readonly retryAt?: Date,
  ) {
    super(message);
  }
}
