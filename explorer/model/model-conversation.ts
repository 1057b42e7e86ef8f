import type OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { type Deadline, EngineError } from '../../engine/index.js';
import { type AnswerValue, readAnswerValue } from './answer-value.js';
import { classifyFailure, type Failure } from './classify-failure.js';
import { complete, TokenMeter } from './completion.js';
import {
  estimateTokens,
  type ModelAnswer,
  ModelError,
  type ModelLimits,
  type ModelRequest,
  type ModelTimers,
} from './model.js';
import { type FormMemory, type RequestForm, simplifyForm } from './request-form.js';
import type { Reservation, TokenBudget } from './token-budget.js';

export interface ModelParts {
  readonly client: OpenAI;
  readonly name: string;
  readonly forms: FormMemory;
  readonly budget: TokenBudget | undefined;
  readonly limits: ModelLimits;
  readonly timers: ModelTimers;
  readonly hideKey: <T>(value: T) => T;
}

/** One request to the model, with its retries. If the answer does not match the schema, the model is asked once to correct it. */
export class ModelConversation {
  readonly #parts: ModelParts;
  readonly #request: ModelRequest;
  readonly #schemaText: string;
  #spent = 0;
  /** The tokens that are reserved for the first request. Undefined after it was sent. */
  #reserved: Reservation | undefined;

  constructor(parts: ModelParts, request: ModelRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#schemaText = JSON.stringify(request.schema.schema);
  }

  /** Returns the answer. Throws `ModelError`, the reason of an aborted signal, and `EngineError` if the token budget cannot be read. */
  async run(timeoutMs: number): Promise<ModelAnswer> {
    // The time limit starts after the reservation: a wait for a busy database is not a fault of the model server.
    const { prompt, answer } = this.#measure(this.#first, this.#parts.forms.accepted);
    this.#reserved = await this.#parts.budget?.reserve(prompt + answer);
    const deadline = this.#parts.timers.begin({ timeoutMs, signal: this.#request.signal });
    const stop = new AbortController();
    deadline.onStop(() => stop.abort());
    try {
      return await this.#converse(deadline, stop.signal);
    } catch (error) {
      this.#request.signal.throwIfAborted();
      if (error instanceof EngineError) throw error;
      const failure = deadline.reason === undefined ? classifyFailure(error).error : tooSlow(timeoutMs);
      throw new ModelError(failure.failure, failure.message, { ...failure.details, tokens: this.#spent });
    } finally {
      deadline.end();
    }
  }

  async #converse(deadline: Deadline, signal: AbortSignal): Promise<ModelAnswer> {
    const messages = this.#first;
    const text = await this.#complete(messages, deadline, signal);
    const first = this.#read(text);
    if ('value' in first) return this.#answer(text, first.value);
    // The server may have returned the request headers with the key, so the key is masked.
    messages.push(
      { role: 'assistant', content: this.#parts.hideKey(text) },
      { role: 'user', content: correctionOf(first.problems) },
    );
    const corrected = await this.#complete(messages, deadline, signal).catch((error: unknown) => {
      throw error instanceof TooExpensiveError ? wrongForm(first.problems) : error;
    });
    const second = this.#read(corrected);
    if ('value' in second) return this.#answer(corrected, second.value);
    throw wrongForm(second.problems);
  }

  /**
   * Sends messages until the server answers. If the server rejects the form of the request, tries simpler forms. Retries temporary
   * failures.
   */
  async #complete(
    messages: readonly ChatCompletionMessageParam[],
    deadline: Deadline,
    signal: AbortSignal,
  ): Promise<string> {
    const { forms, limits, timers } = this.#parts;
    let form = forms.accepted;
    let earlier: ModelError | undefined;
    for (let attempt = 1; ; ) {
      try {
        const text = await this.#send(messages, form, signal);
        forms.remember(form);
        return text;
      } catch (error) {
        if (error instanceof EngineError || signal.aborted) throw error;
        const failure = classifyFailure(error);
        // Failed attempts also use tokens. If the budget is too small for another attempt, the earlier failure is the reason to report.
        if (failure.error.failure === 'budget_used_up' && earlier !== undefined) throw earlier;
        earlier = failure.error;
        const simpler = failure.rejectedForm === undefined ? undefined : simplifyForm(form, failure.rejectedForm);
        if (simpler === undefined) {
          const delayMs = delayBefore(attempt, failure, limits);
          if (!failure.isTemporary || attempt >= limits.attempts || delayMs > deadline.remainingMs) throw failure.error;
          attempt += 1;
          await timers.pause(delayMs, signal);
        } else form = simpler;
      }
    }
  }

  /** Sends one request. Reserves tokens before the request, and returns the unused ones afterwards. */
  async #send(
    messages: readonly ChatCompletionMessageParam[],
    form: RequestForm,
    signal: AbortSignal,
  ): Promise<string> {
    const { client, name: model, budget } = this.#parts;
    const { schema } = this.#request;
    const { all, prompt, answer } = this.#measure(messages, form);
    const reservation = this.#reserved ?? (await budget?.reserve(prompt + answer));
    this.#reserved = undefined;
    const meter = new TokenMeter(prompt);
    try {
      return await complete(client, { model, messages: all, schema, form, maxTokens: answer, signal }, meter);
    } finally {
      this.#spent += meter.used;
      // If the database fails here, all reserved tokens count as used, but the answer is still valid.
      await reservation?.settle(meter.used).catch(() => {});
    }
  }

  get #first(): ChatCompletionMessageParam[] {
    return [{ role: 'user', content: this.#request.user }];
  }

  /** Returns the messages of a request, the tokens of its prompt, and the maximum number of tokens of its answer. */
  #measure(messages: readonly ChatCompletionMessageParam[], form: RequestForm) {
    const { maxTokens } = this.#request;
    const all: ChatCompletionMessageParam[] = [{ role: 'system', content: this.#system(form) }, ...messages];
    const prompt = estimateTokens(all.map(({ content }) => content).join('\n') + this.#schemaText);
    const answer = Math.min(this.#parts.limits.maxAnswerTokens, maxTokens - this.#spent - prompt);
    if (answer < LEAST_ANSWER_TOKENS) throw new TooExpensiveError(maxTokens);
    return { all, prompt, answer };
  }

  /** Returns the system prompt. For servers that do not enforce a schema, it contains the schema. */
  #system({ format }: RequestForm): string {
    if (format === 'json_schema') return this.#request.system;
    return `${this.#request.system}\n\nAnswer with only one JSON object that this JSON Schema allows:\n${this.#schemaText}`;
  }

  #read(text: string): AnswerValue {
    const { schema, accepts = schema } = this.#request.schema;
    return readAnswerValue(text, accepts);
  }

  #answer(text: string, value: unknown): ModelAnswer {
    const { hideKey } = this.#parts;
    const hidden = hideKey(value);
    const written = JSON.stringify(hidden);
    // If escape sequences hid the key in the text, the text is replaced by the JSON of the masked value.
    const isWritten = written === JSON.stringify(value);
    return { value: hidden, text: isWritten ? hideKey(text) : written, tokens: this.#spent };
  }
}

/** The minimum number of tokens for an answer. Shorter answers cannot contain a query. */
const LEAST_ANSWER_TOKENS = 200;
const MAX_DELAY_MS = 8_000;

/** Returns the delay that the server asks for, or else a delay that doubles with each attempt and whose second half is random. */
function delayBefore(attempt: number, { error }: Failure, { retryDelayMs }: ModelLimits): number {
  const { retryAfterMs } = error.details;
  const delay = Math.min(retryDelayMs * 2 ** (attempt - 1), MAX_DELAY_MS);
  const jitter = (delay / 2) * Math.random();
  return retryAfterMs === undefined ? delay / 2 + jitter : retryAfterMs + jitter;
}

function correctionOf(problems: readonly string[]): string {
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  return `Your answer has the wrong form:\n${list}\nAnswer again with only one JSON object of the required form.`;
}

function tooSlow(timeoutMs: number): ModelError {
  const message = `The model server did not finish its answer within ${timeoutMs / 1000} seconds.`;
  return new ModelError('unreachable', message);
}

function wrongForm([problem]: readonly string[]): ModelError {
  return new ModelError('invalid_output', `The answer of the language model has the wrong form: ${problem}.`);
}

class TooExpensiveError extends ModelError {
  constructor(maxTokens: number) {
    super(
      'budget_used_up',
      `The question needs more than the ${maxTokens} tokens of the language model that one question may use.`,
    );
  }
}
