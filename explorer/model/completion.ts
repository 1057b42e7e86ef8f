import type OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { estimateTokens, ModelError, type ModelRequest } from './model.js';
import { formParameters, type RequestForm } from './request-form.js';

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatCompletionMessageParam[];
  readonly schema: ModelRequest['schema'];
  readonly form: RequestForm;
  /** The maximum number of tokens of the answer. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** Counts the tokens of one request. */
export class TokenMeter {
  readonly #prompt: number;
  #answer = 0;
  #reported: number | undefined;
  #hasStarted = false;

  constructor(prompt: number) {
    this.#prompt = prompt;
  }

  /** The number of tokens: from the server, or estimated. 0 if the server did not begin to answer. */
  get used(): number {
    return this.#reported ?? (this.#hasStarted ? this.#prompt + this.#answer : 0);
  }

  get answer(): number {
    return this.#answer;
  }

  start(): void {
    this.#hasStarted = true;
  }

  add(text: string): void {
    this.#answer += estimateTokens(text);
  }

  report(usage: unknown): void {
    const { total_tokens: total } = (usage ?? {}) as { readonly total_tokens?: unknown };
    // An implausible number must not use up the token budget of the day.
    if (Number.isSafeInteger(total) && Number(total) > 0 && Number(total) <= MAX_REPORTED)
      this.#reported = Number(total);
  }
}

const MAX_REPORTED = 200_000;

/**
 * Sends one request and reads its streamed answer. Returns the text of the model. Throws `ModelError` if the model declines to answer or
 * the answer is too long. Also throws the errors of the client library.
 */
export async function complete(
  client: OpenAI,
  { model, messages, schema, form, maxTokens, signal }: CompletionRequest,
  meter: TokenMeter,
): Promise<string> {
  const parameters = {
    model,
    messages: [...messages],
    stream: true as const,
    ...formParameters(form, schema, maxTokens),
  };
  const stream = await client.chat.completions.create(parameters, { signal });
  meter.start();
  const pieces: string[] = [];
  for await (const chunk of stream) {
    const { usage, content, declined, finish } = readChunk(chunk);
    meter.report(usage);
    if (declined !== '') throw declinedBy('The language model declined to answer this question.');
    if (finish === 'content_filter') throw declinedBy('The content filter of the model server stopped the answer.');
    meter.add(content);
    if (finish === 'length' || meter.answer > maxTokens) throw tooLong(maxTokens);
    pieces.push(content);
  }
  // If its signal is aborted, the stream of the client library ends without an error.
  signal.throwIfAborted();
  return pieces.join('');
}

interface Chunk {
  readonly usage: unknown;
  readonly content: string;
  /** The text with which the model declines to answer; empty if it answers. */
  readonly declined: string;
  readonly finish: unknown;
}

/** Reads a chunk of the stream. The server can send any JSON, so no type is assumed. */
function readChunk(chunk: unknown): Chunk {
  const { usage, choices } = toObject(chunk);
  const { delta, finish_reason: finish } = toObject(Array.isArray(choices) ? choices[0] : undefined);
  const members = toObject(delta);
  return { usage, content: toText(members.content), declined: toText(members[DECLINED]), finish };
}

/** The member of a chunk that contains the text with which a model declines to answer. */
const DECLINED = 'refusal';

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function declinedBy(message: string): ModelError {
  return new ModelError('refused', message, { isDeclined: true });
}

function tooLong(maxTokens: number): ModelError {
  return new ModelError(
    'invalid_output',
    `The answer of the language model is longer than its limit of ${maxTokens} tokens.`,
  );
}
