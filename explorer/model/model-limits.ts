/** Limits that are the same in every deployment; tests pass smaller ones. Times are in milliseconds. */
export interface ModelLimits {
  /** The maximum time between two parts of an answer. */
  readonly silenceMs: number;
  /** The maximum size of a response, with everything that the protocol adds to the answer. */
  readonly maxBytes: number;
  /** The maximum number of tokens of one answer. */
  readonly maxAnswerTokens: number;
  readonly concurrency: number;
  readonly maxWaiting: number;
  /** How often a request is sent if its failure is temporary. */
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
