import OpenAI from 'openai';
import { createGuardedFetch } from './guarded-fetch.js';
import { MODEL_LIMITS, MODEL_TIMERS, type Model, ModelError, type ModelLimits, type ModelTimers } from './model.js';
import { ModelConversation } from './model-conversation.js';
import { FormMemory } from './request-form.js';
import type { TokenBudget } from './token-budget.js';

export interface ModelOptions {
  /** The base URL of an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** The name of the model on the server. */
  readonly name: string;
  readonly key?: string | undefined;
  /** The token budget for all questions. Without a budget, only the limit per request applies. */
  readonly budget?: TokenBudget | undefined;
  /** Time limit in milliseconds for one request with all its retries. The timeout also limits the wait for a free slot. */
  readonly timeoutMs: number;
  readonly limits?: Partial<ModelLimits>;
  readonly timers?: Partial<ModelTimers>;
}

/** Creates the client of a language model on any OpenAI-compatible server. The model sends nothing before the first question. */
export function createModel({ url, name, key, budget, timeoutMs, limits: given, timers: own }: ModelOptions): Model {
  const limits = { ...MODEL_LIMITS, ...given };
  const timers = { ...MODEL_TIMERS, ...own };
  const client = createClient(url, key, limits, timers);
  const slots = new ModelSlots({ ...limits, maxWaitMs: timeoutMs }, timers);
  const forms = new FormMemory();
  const hideKey = createKeyHider(key);
  return {
    name,
    ask: (request) => {
      const conversation = new ModelConversation({ client, name, forms, budget, limits, timers, hideKey }, request);
      return slots.use(() => conversation.run(timeoutMs), request.signal);
    },
  };
}

/**
 * Creates the client of the library. Members are set to null because the library would otherwise read them from the environment. The
 * retries of the client are disabled: `ModelConversation` retries.
 */
function createClient(url: string, key: string | undefined, limits: ModelLimits, timers: ModelTimers): OpenAI {
  return new OpenAI({
    baseURL: url,
    // The library requires a key. If the operator has set none, the header with this placeholder is removed.
    apiKey: key ?? 'none',
    ...(key === undefined ? { defaultHeaders: { authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: LONGEST_TIMEOUT_MS,
    logLevel: 'off',
    fetch: createGuardedFetch(limits, timers.silence),
  });
}

/** The time limit of the library. This timeout is never reached, because the deadline of the request is shorter. */
const LONGEST_TIMEOUT_MS = 3_600_000;

/**
 * Creates a function that masks the key in responses, because a server could return it. Strings within a parsed JSON value are masked
 * separately, because escape sequences can hide the key in the JSON text.
 */
function createKeyHider(key: string | undefined): <T>(value: T) => T {
  if (key === undefined || key.length < MIN_LENGTH) return (value) => value;
  const forms = [...new Set([key, encodeURIComponent(key), Buffer.from(key).toString('base64')])];
  const hideIn = (text: string): string => forms.reduce((hidden, form) => hidden.replaceAll(form, '…'), text);
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return hideIn(value);
    if (Array.isArray(value)) return value.map(hide);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [hideIn(name), hide(member)]));
  };
  return hide as <T>(value: T) => T;
}

/** Shorter keys, such as `ollama`, are not masked: they are not secret, and can be words in an answer. */
const MIN_LENGTH = 8;

interface SlotLimits {
  /** The maximum number of concurrent requests to the model. */
  readonly concurrency: number;
  /** The maximum number of requests that wait. Further requests are rejected immediately. */
  readonly maxWaiting: number;
  /** The maximum time in milliseconds that a request waits. */
  readonly maxWaitMs: number;
}

/** Limits the number of concurrent requests to the model. Waiting requests are in first-in-first-out order. */
class ModelSlots {
  readonly #limits: SlotLimits;
  readonly #timers: Pick<ModelTimers, 'begin'>;
  readonly #waiting = new Set<() => void>();
  #used = 0;

  constructor(limits: SlotLimits, timers: Pick<ModelTimers, 'begin'>) {
    this.#limits = limits;
    this.#timers = timers;
  }

  /** Throws `ModelError` with `rate_limited` if the request waits too long, and the reason of the signal if it is aborted. */
  async use<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#used < this.#limits.concurrency) this.#used += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Passes the slot to the request that has waited longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#used -= 1;
    else next();
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.#limits;
    if (this.#waiting.size >= maxWaiting) throw busy(`${maxWaiting} questions already wait for it`);
    return new Promise((resolve, reject) => {
      const deadline = this.#timers.begin({ timeoutMs: maxWaitMs, signal });
      const stopWaiting = () => {
        this.#waiting.delete(take);
        deadline.end();
      };
      const take = () => {
        stopWaiting();
        resolve();
      };
      this.#waiting.add(take);
      deadline.onStop(() => {
        stopWaiting();
        reject(signal.aborted ? signal.reason : busy(`it was not free for ${maxWaitMs / 1000} seconds`));
      });
    });
  }
}

function busy(detail: string): ModelError {
  return new ModelError('rate_limited', `The language model is busy: ${detail}.`);
}
