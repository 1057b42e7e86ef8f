import { Deadline, EngineError } from '../../../engine/index.js';
import { createModel } from '../../../explorer/model/create-model.js';
import {
  type Model,
  ModelError,
  type ModelLimits,
  type ModelRequest,
  type ModelTimers,
} from '../../../explorer/model/model.js';
import type { TokenBudget } from '../../../explorer/model/token-budget.js';

/** The model key. Tests search messages and answers for this key. */
export const KEY = 'sk-test-0123456789abcdef';

/** The schema of answers in these tests. */
export const SCHEMA = {
  name: 'answer',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['sql', 'count'],
    properties: { sql: { type: 'string' }, count: { type: 'integer' } },
  },
};

/** An answer that matches the schema. */
export const ANSWER = { sql: 'SELECT 1', count: 3 };

export interface AskOptions {
  readonly timeoutMs?: number;
  readonly key?: string | null;
  readonly budget?: TokenBudget;
  readonly limits?: Partial<ModelLimits>;
  readonly timers?: Partial<ModelTimers>;
}

/** The deadlines that a model has started, in order. `end` makes one of them expire. */
export class Deadlines {
  readonly #begun: Deadline[] = [];
  readonly timers: Pick<ModelTimers, 'begin'> = {
    begin: (limit) => {
      const deadline = new Deadline(limit);
      this.#begun.push(deadline);
      return deadline;
    },
  };

  get count(): number {
    return this.#begun.length;
  }

  end(index: number): void {
    this.#begun[index]?.stop(new EngineError('query_timeout', 'ended by the test'));
  }
}

/** Creates a model whose retries have short delays. */
export function createTestModel(
  url: string,
  { timeoutMs = 600_000, key = KEY, budget, limits, timers }: AskOptions = {},
): Model {
  return createModel({
    url,
    name: 'tester',
    key: key ?? undefined,
    budget,
    timeoutMs,
    limits: { retryDelayMs: 1, silenceMs: 600_000, ...limits },
    ...(timers && { timers }),
  });
}

export function request(given: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'You write SQL.',
    user: 'How many stars?',
    schema: SCHEMA,
    signal: new AbortController().signal,
    maxTokens: 20_000,
    ...given,
  };
}

/** Returns the error of a failed request. Throws if the request succeeds or fails with another kind of error. */
export async function failureOf(asked: Promise<unknown>): Promise<ModelError> {
  const error = await asked.then(
    (value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error;
  throw error;
}

/** Returns all texts of an error that a log or a stored question could contain. */
export function allTextOf(error: unknown): string {
  const texts: string[] = [];
  for (let next = error; next instanceof Error; next = next.cause) {
    texts.push(
      next.message,
      String(next.stack),
      JSON.stringify(Object.getOwnPropertyNames(next).map((name) => [name, Reflect.get(next as Error, name)])),
    );
  }
  return texts.join('\n');
}
