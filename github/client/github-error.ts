/**
 * Why GitHub's API gave no usable response:
 * `unavailable`: GitHub failed, could not be reached or was too slow;
 * `rate-limited`: every token has reached its rate limit; `retryAt` is the end of the limit if it is known;
 * `unauthorized`: GitHub rejected every usable token;
 * `declined`: GitHub rejected the request with another 4xx status;
 * `unreadable`: the response does not have the expected form.
 */
export type GitHubFailure = 'unavailable' | 'rate-limited' | 'unauthorized' | 'declined' | 'unreadable';

/** Thrown if GitHub's API gave no usable response. Callers may see the message: it contains no token and no URL. */
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
