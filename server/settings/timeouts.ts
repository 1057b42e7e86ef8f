/** Time limits that are the same in every deployment; tests pass shorter or longer ones. */
export interface Timeouts {
  /** Time within which a client must send its headers. */
  readonly headersMs: number;
  /** Time within which a client must send its whole request. Also the maximum pause while a client reads its answer. */
  readonly requestMs: number;
  /** Time for which open connections are kept for requests that clients have just sent, when the service stops. */
  readonly drainMs: number;
  /**
   * The same for a worker that another one replaces. It is longer than the time after which Node closes an idle connection, so
   * that a replacement closes no connection earlier than usual.
   */
  readonly replacedDrainMs: number;
  /** Time limit of the first connection to Redis. If it is exceeded, the service starts without Redis. */
  readonly redisConnectMs: number;
  /** If Redis sends nothing for this time, requests stop waiting for Redis. Delays of this process do not count. */
  readonly redisMs: number;
  /** Time limit of one query of the playground. */
  readonly playgroundMs: number;
  /** Time limit for drawing one image, and also for its wait. */
  readonly imageMs: number;
}

export const TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  drainMs: 1_000,
  replacedDrainMs: 6_000,
  redisConnectMs: 1_000,
  redisMs: 500,
  playgroundMs: 10_000,
  imageMs: 10_000,
};

/** The maximum difference between the clocks of a token's issuer and of this service. */
export const CLOCK_SKEW_SECONDS = 30;
