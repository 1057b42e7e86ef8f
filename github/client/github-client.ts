import { retry } from '@octokit/plugin-retry';
import { Octokit } from '@octokit/rest';
import { limitSignal } from '../../engine/index.js';
import { createBoundedFetch } from './bounded-fetch.js';
import { GitHubError } from './github-error.js';

export interface GitHubClientOptions {
  /**
   * Access tokens. The tokens never appear in messages. Without a token, requests are anonymous: GitHub then allows 60 requests per hour
   * and no GraphQL.
   */
  readonly tokens: readonly string[];
  /** Base URL of the API, without a slash at its end. */
  readonly apiUrl: string;
  /** Number of retries of a failed request, after 0.25 s, 1 s, 2.25 s and so on. Default 1. */
  readonly retries?: number;
  /** The value of the `User-Agent` header, which identifies this program to GitHub. */
  readonly userAgent: string;
  /** Called with messages for the operator about rejected tokens. */
  readonly onNotice?: (message: string) => void;
  /** Returns milliseconds since 1970, for the comparison with GitHub's reset times. Default `Date.now`. */
  readonly now?: () => number;
  /** Returns milliseconds since a fixed moment, for the time for which tokens are suspended. Default `performance.now`. */
  readonly stopwatch?: () => number;
}

export interface CallOptions {
  /** Time limit of the whole call in milliseconds, including retries. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/**
 * `absent`: GitHub has no such record or may not show it. `unchanged`: the record still has the etag of the request. `hasNext`: whether the
 * record is a page of a list and has a next page. `pollSeconds`: the minimum time until the next request, if GitHub sends one.
 */
export type GitHubReply =
  | {
      readonly state: 'found';
      readonly data: unknown;
      readonly etag: string | undefined;
      readonly hasNext: boolean;
      readonly pollSeconds: number | undefined;
    }
  | { readonly state: 'unchanged'; readonly pollSeconds: number | undefined }
  | { readonly state: 'absent' };

export type GraphqlFields = Readonly<Record<string, unknown>>;

/** GitHub's API through Octokit. Every method rejects with `GitHubError`, or with the reason of the caller's signal. */
export interface GitHubClient {
  /**
   * Requests a REST route, for example `GET /users/{username}`. The parameters fill the route and the query and are
   * encoded. `apiVersion` is a version of GitHub's API, if the route needs one.
   */
  get(
    route: string,
    parameters: Readonly<Record<string, string | number>>,
    options: CallOptions & { readonly etag?: string | undefined; readonly apiVersion?: string },
  ): Promise<GitHubReply>;
  /** Runs a GraphQL query. A field with an error, for example a missing record, is null. */
  graphql(query: string, variables: Readonly<Record<string, unknown>>, options: CallOptions): Promise<GraphqlFields>;
  /** The number of REST requests that each token has left, from GitHub's last response; null for a token that was not used yet. */
  requestsLeft(): readonly (number | null)[];
}

export function createGitHubClient({ tokens, apiUrl, userAgent, ...rest }: GitHubClientOptions): GitHubClient {
  const { onNotice = () => {}, now = Date.now, stopwatch = () => performance.now(), retries = 1 } = rest;
  const retry = { ...RETRY, retries };
  const common = { ...OPTIONS, retry, baseUrl: apiUrl, userAgent };
  const octokits =
    tokens.length === 0
      ? [new RetryingOctokit(common)]
      : tokens.map((auth) => new RetryingOctokit({ ...common, auth }));
  const pool = new TokenPool(octokits, { now, stopwatch });
  for (const token of pool.tokens) {
    token.client.hook.after('request', ({ headers }, { url }) => pool.updateBudget(token, resourceOf(url), headers));
  }
  return new PooledClient(pool, tokens.length > 0, onNotice);
}

/** The maximum size of a response. The largest responses are lists of a hundred issues with texts of up to 65,536 characters each. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** How long a rejected token stays suspended. */
const REJECTED_SUSPENSION_MS = 10 * 60_000;
/** How long a rate-limited token stays suspended if the response has no `Retry-After`. GitHub documents one minute. */
const LIMITED_SUSPENSION_MS = 60_000;

const RetryingOctokit = Octokit.plugin(retry);
const ignore = () => undefined;
const OPTIONS = {
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  request: { fetch: followSameOriginRedirects(createBoundedFetch(MAX_BODY_BYTES)) },
};
/** Statuses that are caused by the token or the request: a retry cannot succeed. */
const RETRY = { doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451], retryAfterBaseValue: 250 };

type Client = InstanceType<typeof RetryingOctokit>;

class PooledClient implements GitHubClient {
  readonly #pool: TokenPool<Client>;
  readonly #hasTokens: boolean;
  readonly #onNotice: (message: string) => void;

  constructor(pool: TokenPool<Client>, hasTokens: boolean, onNotice: (message: string) => void) {
    this.#pool = pool;
    this.#hasTokens = hasTokens;
    this.#onNotice = onNotice;
  }

  get(...[route, parameters, { etag, apiVersion, ...options }]: Parameters<GitHubClient['get']>): Promise<GitHubReply> {
    return this.#call<GitHubReply>(resourceOf(route), options, async (client, request) => {
      const headers = {
        ...(etag !== undefined && { 'if-none-match': etag }),
        ...(apiVersion !== undefined && { 'x-github-api-version': apiVersion }),
      };
      try {
        const response = await client.request(route, { ...parameters, headers, request });
        const data: unknown = response.data;
        const { etag: newEtag, link = '' } = response.headers;
        const pollSeconds = readPollSeconds(response.headers);
        return { state: 'found', data, etag: newEtag, hasNext: /;\s*rel="?next"?/.test(link), pollSeconds };
      } catch (error) {
        if (isAbsent(error)) return { state: 'absent' };
        const unchanged = readUnchanged(error);
        if (unchanged !== undefined) return { state: 'unchanged', pollSeconds: readPollSeconds(unchanged) };
        throw error;
      }
    });
  }

  graphql(...[query, variables, options]: Parameters<GitHubClient['graphql']>): Promise<GraphqlFields> {
    return this.#call('graphql', options, async (client, request) => {
      try {
        return readFields(await client.graphql(query, { ...variables, request }), []);
      } catch (error) {
        const response = readGraphqlErrors(error);
        if (response === undefined) throw error;
        return readFields(response.data, response.errors);
      }
    });
  }

  requestsLeft(): readonly (number | null)[] {
    return this.#pool.requestsLeft('core');
  }

  /** Sends a request with one token after another, as long as the failure is caused by the token. */
  async #call<Reply>(
    resource: RateLimitResource,
    options: CallOptions,
    send: (client: Client, request: { readonly signal: AbortSignal }) => Promise<Reply>,
  ): Promise<Reply> {
    const { deadlineMs, signal } = options;
    const limited = limitSignal(signal === undefined ? [] : [signal], deadlineMs);
    try {
      return await this.#callUntil(limited.signal, resource, options, send);
    } finally {
      limited.end();
    }
  }

  async #callUntil<Reply>(
    ends: AbortSignal,
    resource: RateLimitResource,
    { deadlineMs, signal }: CallOptions,
    send: (client: Client, request: { readonly signal: AbortSignal }) => Promise<Reply>,
  ): Promise<Reply> {
    let tokenError: GitHubError | undefined;
    for (let token = this.#pool.select(resource); token !== undefined; token = this.#pool.select(resource)) {
      try {
        // Octokit checks the signal only after the pause before a retry.
        return await Promise.race([send(token.client, { signal: ends }), rejectOnAbort(ends)]);
      } catch (error) {
        signal?.throwIfAborted();
        if (ends.aborted) throw new GitHubError('unavailable', `GitHub did not answer within ${deadlineMs} ms.`);
        tokenError = this.#suspendToken(token, resource, error);
      }
    }
    if (tokenError?.failure === 'unauthorized') throw tokenError;
    const retryAt = this.#pool.nextAvailableAt(resource);
    const message = `The rate limit of GitHub is reached until ${retryAt.toISOString()}.`;
    throw new GitHubError('rate-limited', message, retryAt);
  }

  /** Suspends the token that caused the failure. Throws a failure that would also occur with another token. */
  #suspendToken(token: PooledToken<Client>, resource: RateLimitResource, thrown: unknown): GitHubError {
    const { error, headers, waitMs = LIMITED_SUSPENSION_MS } = explainFailure(thrown);
    this.#pool.updateBudget(token, resource, headers);
    if (error.failure === 'unauthorized') {
      const message = `GitHub rejected token ${token.position} of GITHUB_TOKEN. The token is retried in ten minutes.`;
      this.#onNotice(this.#hasTokens ? message : 'GitHub rejected a request without a token. Set GITHUB_TOKEN.');
      this.#pool.suspend(token, REJECTED_SUSPENSION_MS);
    } else if (error.failure !== 'rate-limited') throw error;
    else if (this.#pool.isAvailable(token, resource)) this.#pool.suspend(token, waitMs);
    return error;
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** Returns the rate limit to which a request to this route or URL counts. */
function resourceOf(route: string): RateLimitResource {
  if (route.includes('/graphql')) return 'graphql';
  return route.includes('/search/') ? 'search' : 'core';
}

/** Returns the fields of a GraphQL response. Throws if an error has no path, because this means that the whole query failed. */
function readFields(data: unknown, errors: readonly GraphqlError[]): GraphqlFields {
  if (errors.some(({ type }) => type === 'RATE_LIMITED')) {
    throw new GitHubError('rate-limited', 'The rate limit of GitHub is reached.');
  }
  const other = errors.find(({ path }) => path?.[0] === undefined);
  if (other !== undefined) {
    throw new GitHubError('unavailable', `GitHub failed to run a query${other.type ? ` (${other.type})` : ''}.`);
  }
  if (typeof data !== 'object' || data === null) {
    throw new GitHubError('unreadable', 'GitHub sent an unreadable response.');
  }
  return { ...data };
}

function readPollSeconds(headers: ResponseHeaders): number | undefined {
  const seconds = Number(headers['x-poll-interval']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/**
 * Returns a `fetch` that follows at most two redirects of a GET to the same origin. GitHub redirects from the old name of a repository. A
 * redirect to another origin fails, because the other server would receive the request with its token.
 */
function followSameOriginRedirects(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await send(url, { ...init, redirect: 'manual' });
      const location = response.headers.get('location');
      if (!REDIRECT_STATUSES.has(response.status) || location === null) return response;
      await response.body?.cancel();
      const next = new URL(location, url);
      if ((init?.method ?? 'GET') !== 'GET' || next.origin !== url.origin) {
        throw new Error(`GitHub redirects a request to ${next.origin}.`);
      }
      url = next;
    }
    throw new Error(`GitHub redirects a request more than ${MAX_REDIRECTS} times.`);
  };
}

const MAX_REDIRECTS = 2;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

interface ExplainedFailure {
  readonly error: GitHubError;
  readonly headers: ResponseHeaders;
  /** Milliseconds for which GitHub asks the client to pause (`Retry-After`); undefined without that header. */
  readonly waitMs: number | undefined;
}

/**
 * Maps an error of Octokit to a `GitHubError`. The text of the original error is dropped, because it may quote the body
 * of a response from a proxy.
 */
function explainFailure(error: unknown): ExplainedFailure {
  if (error instanceof GitHubError) return { error, headers: {}, waitMs: undefined };
  const { status, headers, message } = readResponse(error);
  const seconds = Number(headers['retry-after']);
  const waitMs = Number.isFinite(seconds) ? Math.max(1, seconds) * 1000 : undefined;
  return { error: toGitHubError(status, headers, message), headers, waitMs };
}

/** Whether GitHub reports that the record was deleted, never existed or is not visible to the token. */
function isAbsent(error: unknown): boolean {
  const { status, body } = readResponse(error);
  return status === 404 || status === 410 || status === 451 || (status === 403 && body.block !== undefined);
}

/** Returns the headers of a response that confirms the requested etag; undefined for other errors. */
function readUnchanged(error: unknown): ResponseHeaders | undefined {
  const { status, headers } = readResponse(error);
  return status === 304 ? headers : undefined;
}

/** Returns the data and the errors of a GraphQL response that contains both; undefined for other errors. */
function readGraphqlErrors(
  error: unknown,
): { readonly data: unknown; readonly errors: readonly GraphqlError[] } | undefined {
  const { name, data, errors } = error as { name?: unknown; data?: unknown; errors?: unknown };
  return name === 'GraphqlResponseError' && Array.isArray(errors) ? { data, errors } : undefined;
}

interface GraphqlError {
  readonly type?: string;
  readonly path?: readonly (string | number)[];
}

interface FailedResponse {
  /** The HTTP status; 0 if GitHub sent no response. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function readResponse(error: unknown): FailedResponse {
  const { response, headers: ownHeaders } = error as { response?: unknown; headers?: unknown };
  const { status, headers, data } = (response ?? {}) as { status?: unknown; headers?: unknown; data?: unknown };
  const body = typeof data === 'object' && data !== null ? { ...data } : {};
  const message = 'message' in body ? String(body.message) : '';
  const responseHeaders = (headers ?? ownHeaders ?? {}) as ResponseHeaders;
  return { status: typeof status === 'number' ? status : 0, headers: responseHeaders, body, message };
}

function toGitHubError(status: number, headers: ResponseHeaders, message: string): GitHubError {
  if (status === 401) return new GitHubError('unauthorized', 'GitHub rejected the token of this service.');
  if (status === 429 || (status === 403 && isRateLimit(headers, message))) {
    return new GitHubError('rate-limited', 'The rate limit of GitHub is reached.');
  }
  if (status >= 400 && status < 500) {
    return new GitHubError('declined', `GitHub rejected the request with status ${status}.`);
  }
  if (status === 0) return new GitHubError('unavailable', 'GitHub could not be reached.');
  return new GitHubError('unavailable', `GitHub failed with status ${status}.`);
}

function isRateLimit(headers: ResponseHeaders, message: string): boolean {
  return (
    headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message)
  );
}

/** The groups of GitHub requests that have separate rate limits. */
type RateLimitResource = 'core' | 'search' | 'graphql';

/** Headers of a response; names are in lower case. */
type ResponseHeaders = Readonly<Record<string, string | number | undefined>>;

/**
 * The maximum time for which a token is suspended. Every rate limit of GitHub resets within an hour; five minutes are added because
 * GitHub's clock may differ.
 */
const MAX_SUSPENSION_MS = 65 * 60_000;

interface Budget {
  remaining: number;
  /** The stopwatch value at which the whole budget is available again. */
  resetAt: number;
}

/** A client with one of the tokens. Messages refer to a token by its position in the list, counted from 1. */
interface PooledToken<Client> {
  readonly position: number;
  readonly client: Client;
}

interface TokenState<Client> extends PooledToken<Client> {
  readonly budgets: Map<RateLimitResource, Budget>;
  suspendedUntil: number;
}

/**
 * The two clocks of the pool. The reset times from GitHub are absolute. Suspensions are measured with the stopwatch, so that a change of
 * the system clock does not affect them.
 */
interface PoolClocks {
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Returns milliseconds since a fixed moment. */
  readonly stopwatch: () => number;
}

/**
 * Tokens and their remaining budgets. Selects the token with the largest remaining budget, and skips rejected tokens and tokens without a
 * budget.
 */
class TokenPool<Client> {
  readonly #states: readonly TokenState<Client>[];
  readonly #clocks: PoolClocks;

  constructor(clients: readonly Client[], clocks: PoolClocks) {
    const suspendedUntil = Number.NEGATIVE_INFINITY;
    this.#states = clients.map((client, index) => ({
      position: index + 1,
      client,
      budgets: new Map(),
      suspendedUntil,
    }));
    this.#clocks = clocks;
  }

  get tokens(): readonly PooledToken<Client>[] {
    return this.#states;
  }

  /** Returns the available token with the largest remaining budget; undefined if no token is available. */
  select(resource: RateLimitResource): PooledToken<Client> | undefined {
    const available = this.#states.filter((state) => this.isAvailable(state, resource));
    return available.reduce<TokenState<Client> | undefined>((best, state) => {
      return best === undefined || this.#remaining(state, resource) > this.#remaining(best, resource) ? state : best;
    }, undefined);
  }

  /** The number of requests that each token has left, from GitHub's last response; null if the token was not used yet. */
  requestsLeft(resource: RateLimitResource): (number | null)[] {
    return this.#states.map(({ budgets }) => budgets.get(resource)?.remaining ?? null);
  }

  isAvailable({ position }: PooledToken<Client>, resource: RateLimitResource): boolean {
    const state = this.#findState(position);
    return state !== undefined && this.#unavailableUntil(state, resource) <= this.#clocks.stopwatch();
  }

  /** Returns when the first token becomes available again, rounded to seconds as in GitHub's headers. */
  nextAvailableAt(resource: RateLimitResource): Date {
    const soonest = Math.min(...this.#states.map((state) => this.#unavailableUntil(state, resource)));
    const inMs = Math.max(0, soonest - this.#clocks.stopwatch());
    return new Date(Math.round((this.#clocks.now() + inMs) / 1000) * 1000);
  }

  /** Stores the remaining budget of a token from the headers of a response. */
  updateBudget({ position }: PooledToken<Client>, resource: RateLimitResource, headers: ResponseHeaders): void {
    const [remaining, reset] = [Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-reset'])];
    if (!Number.isFinite(remaining) || !Number.isFinite(reset)) return;
    const resetAt = this.#stopwatchAfter(reset * 1000 - this.#clocks.now());
    this.#findState(position)?.budgets.set(resource, { remaining, resetAt });
  }

  /** Makes a token unavailable for every resource for `ms` milliseconds. */
  suspend({ position }: PooledToken<Client>, ms: number): void {
    const state = this.#findState(position);
    if (state !== undefined) state.suspendedUntil = Math.max(state.suspendedUntil, this.#stopwatchAfter(ms));
  }

  /**
   * Returns the value that the stopwatch will have after `ms` milliseconds. The duration is limited, so that a wrong header cannot disable
   * a token until the service restarts.
   */
  #stopwatchAfter(ms: number): number {
    return this.#clocks.stopwatch() + Math.min(ms, MAX_SUSPENSION_MS);
  }

  #findState(position: number): TokenState<Client> | undefined {
    return this.#states[position - 1];
  }

  #unavailableUntil({ suspendedUntil, budgets }: TokenState<Client>, resource: RateLimitResource): number {
    const budget = budgets.get(resource);
    return budget !== undefined && budget.remaining <= 0 ? Math.max(suspendedUntil, budget.resetAt) : suspendedUntil;
  }

  /** Returns the remaining requests of a token: infinite if the token was not used yet or its rate limit was reset. */
  #remaining({ budgets }: TokenState<Client>, resource: RateLimitResource): number {
    const budget = budgets.get(resource);
    const isFull = budget === undefined || budget.resetAt <= this.#clocks.stopwatch();
    return isFull ? Number.POSITIVE_INFINITY : budget.remaining;
  }
}
