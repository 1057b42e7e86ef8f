import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '../../engine/index.js';

/** One request to a language model. */
export interface ModelRequest {
  /** The instructions of the service. */
  readonly system: string;
  /** The text of the user. The text is untrusted. */
  readonly user: string;
  /** Name and JSON Schema of the answer. `accepts` is a less strict schema with which the answer is validated instead. */
  readonly schema: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
    readonly accepts?: Readonly<Record<string, unknown>>;
  };
  readonly signal: AbortSignal;
  /** The request is aborted after it has used this many tokens. */
  readonly maxTokens: number;
}

export interface ModelAnswer {
  /** The answer, validated against the schema of the request. */
  readonly value: unknown;
  /** The text of the model. */
  readonly text: string;
  /** Tokens of the request and the answer; estimated if the server does not report them. */
  readonly tokens: number;
}

const MODEL_FAILURES = ['unreachable', 'rate_limited', 'refused', 'invalid_output', 'budget_used_up'] as const;

export type ModelFailure = (typeof MODEL_FAILURES)[number];

export interface ModelErrorDetails {
  readonly retryAfterMs?: number;
  readonly tokens?: number;
  /** Whether the model or its content filter declined to answer the question. If absent, the model could not be used. */
  readonly isDeclined?: boolean;
  /** Whether only the operator can remove the cause, for example a wrong key. */
  readonly isOperatorFault?: boolean;
  readonly cause?: unknown;
}

/** A failed request to the model. The message contains neither the key nor text of the server. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(
    readonly failure: ModelFailure,
    message: string,
    readonly details: ModelErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}

/** A language model. Its methods throw `ModelError`. */
export interface Model {
  /** The name of the model, which is stored with a question. */
  readonly name: string;
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

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

/** The timers of a model. Tests replace them to end waits earlier. */
export interface ModelTimers {
  /** Starts the deadline of one request, or of its wait for a free slot. */
  readonly begin: (limit: ConstructorParameters<typeof Deadline>[0]) => Deadline;
  /** Waits before a retry. Rejects if the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Waits for the next part of an answer. Rejects if the signal aborts. */
  readonly silence: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export const MODEL_TIMERS: ModelTimers = {
  begin: (limit) => new Deadline(limit),
  pause: (ms, signal) => pause(ms, undefined, { signal }),
  silence: (ms, signal) => pause(ms, undefined, { signal }),
};

/**
 * Estimates the tokens of a text: one token per three bytes of UTF-8. English text and SQL have about four characters per token, so the
 * estimate is usually too high. In scripts with one token per character, a character has three bytes.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

const BYTES_PER_TOKEN = 3;
