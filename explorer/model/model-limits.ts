/** Limits that are the same in every deployment; tests pass smaller ones. Times are in milliseconds. */
export interface ModelLimits {
  /** The maximum time between two parts of an answer. */
  readonly silenceMs: number;
  /** The maximum size of a response in bytes, including the overhead of the protocol. */
  readonly maxBytes: number;
  /** The maximum number of tokens of one answer. */
  readonly maxAnswerTokens: number;
  readonly concurrency: number;
  readonly maxWaiting: number;
  /** The maximum number of attempts if the failures are temporary. */
  readonly attempts: number;
  /** The delay before the first retry. Later delays are longer. */
  readonly retryDelayMs: number;
}

export const MODEL_LIMITS: ModelLimits = {
  silenceMs: 20_000,
  maxBytes: 4_000_000,
  maxAnswerTokens: 6_000,
  concurrency: 4,
  maxWaiting: 200,
  attempts: 3,
  retryDelayMs: 500,
};
