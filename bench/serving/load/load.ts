import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AnswerReader, describeAnswer, type RawAnswer } from './answer-reader.js';

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Returns the path and query of the next request of any connection. */
  readonly nextPath: () => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The minimum time between two requests of a connection, in milliseconds. Default 0. */
  readonly everyMs?: number;
  /** Aborting this signal ends the load early. */
  readonly signal?: AbortSignal;
  /** Called for each answer. `sentAt` and `receivedAt` are in milliseconds since 1970. */
  readonly onAnswer?: (answer: RawAnswer, path: string, sentAt: number, receivedAt: number) => void;
}

export interface LoadReport {
  readonly requests: number;
  readonly perSecond: number;
  /** The number of answers with a status other than 200 and 304, plus the number of broken connections. */
  readonly failed: number;
  /** The first failure, for a message. */
  readonly firstFailure: string | undefined;
  /** The response times of all requests in milliseconds, in ascending order. */
  readonly times: readonly number[];
}

/** Sends requests over keep-alive connections. Each connection sends its next request after the previous answer. */
export async function applyLoad(options: LoadOptions): Promise<LoadReport> {
  const lane = { times: [] as number[], failures: [] as string[], failed: 0 };
  const started = performance.now();
  const deadline = started + options.seconds * 1000;
  await Promise.all(Array.from({ length: options.connections }, () => runLane(options, deadline, lane)));
  const seconds = (performance.now() - started) / 1000;
  return {
    requests: lane.times.length,
    perSecond: lane.times.length / seconds,
    failed: lane.failed,
    firstFailure: lane.failures[0],
    times: lane.times.sort((a, b) => a - b),
  };
}

/** Returns a percentile of the response times; `part` is, for example, 0.99. */
export function percentile({ times }: Pick<LoadReport, 'times'>, part: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
}

/** Opens a connection to the host of a URL, with TCP_NODELAY. */
export async function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Writes the text of a GET request. */
export function writeRequest(url: string, path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

interface Lane {
  readonly times: number[];
  readonly failures: string[];
  failed: number;
}

/** Runs one connection until the deadline. A broken connection counts as one failure and is replaced. */
async function runLane(options: LoadOptions, deadline: number, lane: Lane): Promise<void> {
  while (performance.now() < deadline && !options.signal?.aborted) {
    try {
      await runConnection(options, deadline, lane);
    } catch (error) {
      lane.failed += 1;
      lane.failures.push(String(error));
      // Without this pause, a server that is not running would get thousands of connection attempts per second.
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }
}

const RECONNECT_MS = 50;

async function runConnection(options: LoadOptions, deadline: number, lane: Lane): Promise<void> {
  const { url, nextPath, headers, everyMs = 0, signal, onAnswer } = options;
  const socket = await openConnection(url);
  const reader = new AnswerReader();
  const suffix = writeRequest(url, '', headers).slice('GET '.length);
  await new Promise<void>((resolve, reject) => {
    let path = '';
    let [started, sentAt] = [0, 0];
    const send = () => {
      if (performance.now() >= deadline || signal?.aborted) return resolve();
      path = nextPath();
      sentAt = onAnswer === undefined ? 0 : Date.now();
      started = performance.now();
      socket.write(`GET ${path}${suffix}`, 'latin1');
    };
    socket.on('data', (chunk: Buffer) => {
      const [answer] = reader.take(chunk);
      if (answer === undefined) return;
      const ms = performance.now() - started;
      lane.times.push(ms);
      if (answer.status !== 200 && answer.status !== 304) {
        lane.failed += 1;
        if (lane.failures.length < 5) lane.failures.push(`${path}: ${describeAnswer(answer)}`);
      }
      try {
        onAnswer?.(answer, path, sentAt, Date.now());
      } catch (error) {
        return reject(error);
      }
      if (everyMs > ms) setTimeout(send, everyMs - ms);
      else send();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed the connection')));
    send();
  }).finally(() => socket.destroy());
}
