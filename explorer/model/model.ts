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
