import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the server got it. */
export interface HostCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly token: string;
  readonly etag: string | undefined;
  readonly body: unknown;
}

export interface HostAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text as it is. */
  readonly body?: unknown;
  /** Instead of the whole answer: none, its first half and then nothing, or its first half and the end of the connection. */
  readonly fault?: 'stall' | 'half' | 'cut';
}

export interface HostServer {
  readonly url: string;
  readonly calls: HostCall[];
  /** How requests are answered from now on. */
  answer: (call: HostCall) => HostAnswer | Promise<HostAnswer>;
  close(): Promise<void>;
}

/** A local hosting platform that answers what a test wants. */
export async function startHostServer(): Promise<HostServer> {
  const calls: HostCall[] = [];
  const server = createServer((request, response) => {
    void read(request).then(async (call) => {
      calls.push(call);
      send(response, await host.answer(call));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host: HostServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: () => NOT_FOUND,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return host;
}

export const NOT_FOUND: HostAnswer = { status: 404, body: { message: 'Not Found' } };

/** The headers of an answer that tell of a budget; `resetSeconds` since 1970. */
export function budget(left: number, resetSeconds: number): Readonly<Record<string, string>> {
  return { 'x-ratelimit-remaining': String(left), 'x-ratelimit-reset': String(resetSeconds) };
}

/** The answer to a request, as the platform's maker recorded it; addresses point to the server. */
export function recorded(scenario: string, call: HostCall, url: string): HostAnswer {
  const folder = createRequire(import.meta.url).resolve('@octokit/fixtures/package.json');
  const file = new URL(`scenarios/api.github.com/${scenario}/normalized-fixture.json`, `file://${folder}`);
  const records = JSON.parse(readFileSync(file, 'utf8')) as Recorded[];
  const found = records.find(({ method, path }) => method.toUpperCase() === call.method && path === call.path);
  if (found === undefined) return NOT_FOUND;
  const { location, etag } = found.headers;
  return {
    status: found.status,
    body: found.response,
    headers: {
      ...(etag && { etag }),
      ...(location && { location: location.replace('https://api.github.com', url) }),
    },
  };
}

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly response: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

async function read(request: IncomingMessage): Promise<HostCall> {
  const body = await text(request);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    token: request.headers.authorization?.replace(/^(token|bearer) /, '') ?? '',
    etag: request.headers['if-none-match'],
    body: body === '' ? undefined : JSON.parse(body),
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body, fault }: HostAnswer): void {
  if (fault === 'stall') return;
  const bytes = Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'content-type': type, 'content-length': String(bytes.length), ...headers });
  if (fault === undefined) response.end(bytes);
  else {
    response.write(bytes.subarray(0, bytes.length / 2), () => {
      if (fault === 'cut') response.socket?.end();
    });
  }
}
