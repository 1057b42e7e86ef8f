/** Time limits that are the same in every deployment. Tests pass other values. */
export interface Timeouts {
  /** Time within which a client must send its headers. */
  readonly headersMs: number;
  /** Time within which a client must send its whole request. Also the maximum pause of a client that reads a response. */
  readonly requestMs: number;
  /** When the service stops, idle connections stay open for this time, for requests that clients have just sent. */
  readonly drainMs: number;
  /**
   * Like `drainMs`, for a worker that is being replaced. The time is longer than Node's keep-alive timeout, so that a replacement closes no
   * connection earlier than usual.
   */
  readonly replacedDrainMs: number;
  /** Time limit of the first connection to Redis. If the time limit is exceeded, the service starts without Redis. */
  readonly redisConnectMs: number;
  /** If Redis sends nothing for this time, requests stop waiting for it. Time in which this process itself is blocked does not count. */
  readonly redisMs: number;
  /** Time limit for drawing one image, including its time in the queue. */
  readonly imageMs: number;
  /** Time limit for sending one e-mail, from the connection to the answer of the mail server. */
  readonly mailMs: number;
  /** Timeout of a query for notices, freshness or totals. Default: the one of the engine. */
  readonly metadataMs?: number;
}

export const TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  drainMs: 1_000,
  replacedDrainMs: 6_000,
  redisConnectMs: 1_000,
  redisMs: 500,
  imageMs: 10_000,
  mailMs: 60_000,
};

/** The maximum accepted difference between the clock of a token's issuer and the clock of this service. */
export const CLOCK_SKEW_SECONDS = 30;
