import type { Socket } from 'node:net';
import { AnswerReader, describeAnswer, type RawAnswer } from '../load/answer-reader.js';
import { openConnection, writeRequest } from '../load/load.js';

export interface CrowdReport {
  /** The time until the last answer, in seconds. */
  readonly slowest: number;
  /** The number of clients with an answer other than 200, or without an answer. */
  readonly failed: number;
  /** The number of failed clients by status, or by connection error. */
  readonly failures: ReadonlyMap<string, number>;
  readonly firstFailure: string | undefined;
  /** The distinct rows in the answers, as JSON. */
  readonly differentRows: ReadonlySet<string>;
}

/** The number of connections that are opened at the same time, so that the accept queue does not overflow. */
const OPENED_AT_ONCE = 200;

/** The maximum time to open all connections, because the service closes a connection without a request after 10 s. */
const MAX_OPENING_MS = 8_000;

/** Opens one connection per client, distributed over the servers, and then sends the same request on all connections at once. */
export async function askAtOnce(urls: readonly string[], path: string, clients: number): Promise<CrowdReport> {
  const sockets: Socket[] = [];
  const opening = performance.now();
  while (sockets.length < clients) {
    const next = Array.from({ length: Math.min(OPENED_AT_ONCE, clients - sockets.length) }, (_, index) =>
      openConnection(urls[(sockets.length + index) % urls.length] ?? ''),
    );
    sockets.push(...(await Promise.all(next)));
  }
  const openingMs = performance.now() - opening;
  if (openingMs > MAX_OPENING_MS) {
    for (const socket of sockets) socket.destroy();
    throw new Error(`the machine is too busy: it took ${Math.round(openingMs)} ms to open ${clients} connections`);
  }
  const differentRows = new Set<string>();
  const failures = new Map<string, number>();
  let firstFailure: string | undefined;
  const fail = (kind: string, message: string) => {
    failures.set(kind, (failures.get(kind) ?? 0) + 1);
    firstFailure ??= message;
  };
  let slowest = 0;
  await Promise.all(
    sockets.map(async (socket, index) => {
      const started = performance.now();
      try {
        const answer = await ask(socket, writeRequest(urls[index % urls.length] ?? '', path));
        if (answer.status === 200) differentRows.add(JSON.stringify(JSON.parse(answer.body.toString()).data.rows));
        else fail(`status ${answer.status}`, describeAnswer(answer));
      } catch (error) {
        fail(String(error), String(error));
      }
      slowest = Math.max(slowest, (performance.now() - started) / 1000);
    }),
  );
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  return { slowest, failed, failures, firstFailure, differentRows };
}

/** Sends one request and closes the connection after its answer. */
async function ask(socket: Socket, request: string): Promise<RawAnswer> {
  const reader = new AnswerReader();
  try {
    return await new Promise<RawAnswer>((resolve, reject) => {
      socket.on('data', (chunk: Buffer) => {
        const [answer] = reader.take(chunk);
        if (answer !== undefined) resolve(answer);
      });
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the server closed the connection without an answer')));
      socket.write(request);
    });
  } finally {
    socket.destroy();
  }
}
