import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** The token usage that a server reports. */
export interface ReportedUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** A streamed answer. */
export interface AnswerReply {
  /** The answer: a text, or another value, which is sent as JSON. */
  readonly answer: unknown;
  /** The reported usage. Null: the server reports none. Default: 100 and 50 tokens. */
  readonly usage?: ReportedUsage | null;
  readonly finish?: string;
  /** The number of characters per chunk. Default 20. */
  readonly pieceLength?: number;
  /** Whether nothing is sent until `release` is called. */
  readonly isHeld?: boolean;
  /** Awaited after each chunk. */
  readonly pause?: () => Promise<unknown>;
  /** What the server does after half of the answer. */
  readonly middle?: 'stall' | 'disconnect' | 'end';
}

export type ModelReply =
  | AnswerReply
  /** The model declines to answer with this text. */
  | { readonly declines: string }
  /** Nothing is sent until `release` is called. */
  | { readonly stall: 'before-headers' }
  /** The connection ends without an answer. */
  | { readonly disconnect: 'before-headers' }
  /** A response that is not streamed. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly text?: string;
    }
  /** A stream of exactly these lines. */
  | { readonly lines: readonly string[]; readonly compressed?: boolean }
  /**
   * A stream of this many bytes. `content`: pieces of an answer; `line`: a single endless line; `error`: the body of a response with status
   * 500.
   */
  | { readonly flood: 'content' | 'line' | 'error'; readonly bytes: number };

export interface Sending {
  /** Aborts when held and stalled replies must end. */
  readonly released: AbortSignal;
  readonly count: (bytes: number) => void;
}

export async function sendReply(reply: ModelReply, response: ServerResponse, sending: Sending): Promise<void> {
  if ('status' in reply) return sendStatus(reply, response, sending);
  if ('stall' in reply) return stall(response, sending);
  if ('disconnect' in reply) return void response.destroy();
  if ('flood' in reply) return flood(reply, response, sending);
  if ('lines' in reply) return sendLines(reply, response);
  if ('answer' in reply && reply.isHeld === true) await untilReleased(response, sending);
  if (response.destroyed) return;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if ('declines' in reply) {
    return void response.end(
      event({ delta: { [DECLINED]: reply.declines } }) + event({ delta: {}, finish_reason: 'stop' }) + DONE,
    );
  }
  return sendAnswer(reply, response, sending);
}

/** The member of an event that contains the text with which a model declines. */
const DECLINED = 'refusal';
/** A comment that flushes everything that was written before it. */
const COMMENT = ':\n\n';
const DONE = 'data: [DONE]\n\n';
const DEFAULT_USAGE: ReportedUsage = { prompt_tokens: 100, completion_tokens: 50 };

async function sendAnswer(reply: AnswerReply, response: ServerResponse, sending: Sending): Promise<void> {
  const { answer, usage = DEFAULT_USAGE, finish = 'stop', pieceLength = 20, pause, middle } = reply;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const pieces = text.match(new RegExp(`.{1,${pieceLength}}`, 'gs')) ?? [];
  const sent = middle === undefined ? pieces : pieces.slice(0, Math.ceil(pieces.length / 2));
  for (const content of sent) {
    await write(event({ delta: { content } }), response, sending);
    await pause?.();
    if (response.destroyed) return;
  }
  if (middle === 'stall') return stall(response, sending);
  if (middle === 'disconnect') return void response.write(COMMENT, () => response.destroy());
  if (middle === undefined) await write(event({ delta: {}, finish_reason: finish }), response, sending);
  if (usage !== null) await write(usageEvent(usage), response, sending);
  response.end(DONE);
}

function sendLines({ lines, compressed }: Extract<ModelReply, { lines: unknown }>, response: ServerResponse): void {
  const text = lines.map((line) => `${line}\n`).join('');
  const encoding = compressed === true ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(200, { 'content-type': 'text/event-stream', ...encoding });
  response.end(compressed === true ? gzipSync(text) : text);
}

/** Returns one event of a stream, with one choice. */
function event(choice: object): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`;
}

function usageEvent(usage: ReportedUsage): string {
  const total = usage.prompt_tokens + usage.completion_tokens;
  const body = { object: 'chat.completion.chunk', choices: [], usage: { ...usage, total_tokens: total } };
  return `data: ${JSON.stringify(body)}\n\n`;
}

async function sendStatus(
  { status, headers, json, text }: Extract<ModelReply, { status: number }>,
  response: ServerResponse,
  { count }: Sending,
): Promise<void> {
  const body = text ?? JSON.stringify(json ?? { error: { message: `status ${status}` } });
  const type = text === undefined ? 'application/json' : 'text/html';
  response.writeHead(status, { 'content-type': type, ...headers });
  count(body.length);
  response.end(body);
}

async function stall(response: ServerResponse, sending: Sending): Promise<void> {
  await untilReleased(response, sending);
  response.destroy();
}

async function untilReleased(response: ServerResponse, { released }: Sending): Promise<void> {
  const ended = new AbortController();
  const events = [once(response, 'close', ended), released.aborted || once(released, 'abort', ended)];
  await Promise.race(events.map((event) => Promise.resolve(event).catch(() => {})));
  ended.abort();
}

async function flood(
  { flood: kind, bytes }: Extract<ModelReply, { flood: string }>,
  response: ServerResponse,
  sending: Sending,
): Promise<void> {
  response.writeHead(kind === 'error' ? 500 : 200, { 'content-type': 'text/event-stream' });
  const piece = kind === 'content' ? event({ delta: { content: 'x'.repeat(16_000) } }) : 'x'.repeat(16_384);
  for (let left = bytes; left > 0 && !response.destroyed; left -= piece.length) await write(piece, response, sending);
  response.end();
}

/** Sends a text, and waits while the client is not reading. */
async function write(text: string, response: ServerResponse, { count }: Sending): Promise<void> {
  if (response.destroyed) return;
  count(text.length);
  if (response.write(text)) return;
  const waiting = new AbortController();
  const events = ['drain', 'close'].map((name) => once(response, name, waiting).catch(() => {}));
  await Promise.race(events);
  waiting.abort();
}
