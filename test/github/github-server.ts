import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createGitHubClient, type GitHubClient } from '../../github/client/github-client.js';

/** A request that the server received. */
export interface GitHubCall {
  readonly method: string;
  /** The path and the query of the request. */
  readonly path: string;
  readonly token: string;
  readonly etag: string | undefined;
  readonly body: unknown;
}

export interface GitHubAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown;
  /** A fault: `stall` sends no response, `half` sends half of the body, and `cut` also closes the connection. */
  readonly fault?: 'stall' | 'half' | 'cut';
}

export interface GitHubServer {
  readonly url: string;
  readonly calls: GitHubCall[];
  /** The function that answers the requests. A test can replace this function. */
  answer: (call: GitHubCall) => GitHubAnswer | Promise<GitHubAnswer>;
  close(): Promise<void>;
}

/** Starts a local server that simulates GitHub. The test sets its answers. */
export async function startGitHubServer(): Promise<GitHubServer> {
  const calls: GitHubCall[] = [];
  const server = createServer((request, response) => {
    void readCall(request).then(async (call) => {
      calls.push(call);
      send(response, await github.answer(call));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const github: GitHubServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: () => NOT_FOUND,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return github;
}

/** Creates a client for the server, without retries. Both clocks of the client are `now`, in milliseconds since 1970. */
export function createClientOf(url: string, now: () => number, tokens: readonly string[] = ['one']): GitHubClient {
  return createGitHubClient({ tokens, apiUrl: url, userAgent: 'test/1', retries: 0, now, stopwatch: now });
}

export const NOT_FOUND: GitHubAnswer = { status: 404, body: { message: 'Not Found' } };

/** Returns the repository in the path of a request for one of its lists, such as `issues`; undefined for other requests. */
export function findListed<Repository extends { readonly id: number }>(
  repositories: readonly Repository[],
  { method, path }: GitHubCall,
  list: string,
): Repository | undefined {
  const [, id] = new RegExp(`^/repositories/(\\d+)/${list}(?:\\?|$)`).exec(path) ?? [];
  return method === 'GET' ? repositories.find((one) => String(one.id) === id) : undefined;
}

/** Returns the rate limit headers of a response. `resetSeconds` is in seconds since 1970. */
export function rateLimitHeaders(left: number, resetSeconds: number): Readonly<Record<string, string>> {
  return { 'x-ratelimit-remaining': String(left), 'x-ratelimit-reset': String(resetSeconds) };
}

/** Returns GitHub's recorded response to a request. URLs in its headers are replaced by those of the local server. */
export function replayFixture(scenario: string, call: GitHubCall, url: string): GitHubAnswer {
  const folder = createRequire(import.meta.url).resolve('@octokit/fixtures/package.json');
  const file = new URL(`scenarios/api.github.com/${scenario}/normalized-fixture.json`, `file://${folder}`);
  const records = JSON.parse(readFileSync(file, 'utf8')) as RecordedExchange[];
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

interface RecordedExchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly response: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

async function readCall(request: IncomingMessage): Promise<GitHubCall> {
  const body = await text(request);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    token: request.headers.authorization?.replace(/^(token|bearer) /, '') ?? '',
    etag: request.headers['if-none-match'],
    body: body === '' ? undefined : JSON.parse(body),
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body, fault }: GitHubAnswer): void {
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
