/** One request to a language model. */
export interface ModelRequest {
  /** The instructions of the service. */
  readonly system: string;
  /** The text of the user. It is untrusted. */
  readonly user: string;
  /** Name and JSON Schema of the answer. `accepts` is the schema that validates it, if this one is less strict. */
  readonly schema: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
    readonly accepts?: Readonly<Record<string, unknown>>;
  };
  readonly signal: AbortSignal;
  /** Aborts the request when it has used this many tokens. */
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
  /** Whether the model or its content filter declined to answer the question. Absent: the service cannot use the model. */
  readonly isDeclined?: boolean;
  /** Whether only the operator of this service can remove the cause, for example a wrong key. */
  readonly isOperatorFault?: boolean;
  readonly cause?: unknown;
}

/** A failed request to the model. The message contains no key and no text of the server. */
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

/** A language model. Throws `ModelError`. */
export interface Model {
  /** The name of the model, for the record of a question. */
  readonly name: string;
  ask(request: ModelRequest): Promise<ModelAnswer>;
}
