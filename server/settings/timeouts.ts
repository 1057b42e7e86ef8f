/** Time limits that are the same in every deployment; tests pass shorter or longer ones. */
export interface Timeouts {
  /** Time for a client to send its headers. */
  readonly headersMs: number;
  /** Time for a client to send its whole request, and for a pause while it reads its answer. */
  readonly requestMs: number;
  /** Silence of Redis after which requests stop waiting for it. Delays of this process do not count. */
  readonly redisMs: number;
  /** Time for one query of the playground. */
  readonly playgroundMs: number;
}

export const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000, redisMs: 500, playgroundMs: 10_000 };

/** The clocks of the issuer of a token and of this service may differ by this. */
export const CLOCK_SKEW_SECONDS = 30;
