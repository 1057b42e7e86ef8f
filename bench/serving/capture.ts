import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer of the service that a reference server sends. */
export interface StoredAnswer {
  readonly status: number;
  /** Names and values of the headers, alternating, in the order of the answer. */
  readonly headers: readonly string[];
  /** The body in Base64. */
  readonly body: string;
}

/** Answers by path and query. */
export type StoredAnswers = Readonly<Record<string, StoredAnswer>>;

/** Requests a path and returns the complete answer, without the headers that Node adds to each answer. */
export async function capture(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StoredAnswer> {
  const outgoing = request(url + path, { headers, agent: false }).end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = await buffer(answer);
  const kept: string[] = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(at, at + 2);
    if (!ADDED_BY_NODE.has(name.toLowerCase())) kept.push(name, value);
  }
  if (answer.statusCode !== 304) kept.push('Content-Length', String(body.length));
  return { status: answer.statusCode ?? 0, headers: kept, body: body.toString('base64') };
}

/**
 * Requests a path until the answer is a cache hit, at most three times, and until it is compressed if `headers` request that. Returns the
 * last answer.
 */
export async function captureHit(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StoredAnswer> {
  let answer = await capture(url, path, headers);
  for (let repeated = 0; repeated < 2 && !isHit(answer); repeated += 1) answer = await capture(url, path, headers);
  // The service compresses an answer after its first hit, and until then sends it without compression.
  const isPlain = () => 'Accept-Encoding' in headers && storedHeader(answer, 'Content-Encoding') === undefined;
  for (let repeated = 0; repeated < 500 && isPlain(); repeated += 1) answer = await capture(url, path, headers);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${bodyOf(answer).slice(0, 500)}`);
  return answer;
}

/** Returns the value of a header of a stored answer. */
export function storedHeader({ headers }: StoredAnswer, name: string): string | undefined {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name.toLowerCase());
  return index === -1 ? undefined : headers[index + 1];
}

export function bodyOf({ body }: StoredAnswer): Buffer {
  return Buffer.from(body, 'base64');
}

export async function writeAnswers(file: string, answers: StoredAnswers): Promise<void> {
  await writeFile(file, JSON.stringify(answers));
}

function isHit(answer: StoredAnswer): boolean {
  return /\bhit\b/.test(storedHeader(answer, 'Cache-Status') ?? '');
}

const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);
