import { retry } from '@octokit/plugin-retry';
import { Octokit } from '@octokit/rest';
import { boundedFetch } from './bounded-fetch.js';
import { followNear } from './follow-redirects.js';
import { HostError } from './github-error.js';
import { explainFailure, type GraphqlError, graphqlErrors, isAbsent, isUnchanged } from './github-failures.js';
import { type HostResource, type Token, TokenRing } from './token-ring.js';

export interface HostClientOptions {
  /** One or several; never shown. */
  readonly tokens: readonly string[];
  /** Without a slash at its end. */
  readonly apiUrl: string;
  /** How often what failed is asked again, after a quarter of a second, a second, two and a quarter… Default 1. */
  readonly retries?: number;
  /** Names this program to the platform. */
  readonly userAgent: string;
  /** Hears, for the operator, what is wrong with a token. */
  readonly onNotice?: (message: string) => void;
  /** Milliseconds since 1970, by which the platform tells how long tokens rest. */
  readonly now?: () => number;
  /** Milliseconds since any fixed moment, by which they rest. */
  readonly stopwatch?: () => number;
}

export interface CallOptions {
  /** For the whole call, with all that is tried again. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** `absent`: the platform says that there is none, or that it may not be shown. `unchanged`: it is as it was with the etag. */
export type HostReply =
  | { readonly state: 'found'; readonly data: unknown; readonly etag: string | undefined }
  | { readonly state: 'unchanged' }
  | { readonly state: 'absent' };

export type GraphqlFields = Readonly<Record<string, unknown>>;

/** The hosting platform's interface, by its official library. Every method throws `HostError`. */
export interface HostClient {
  /** `route` is such as `GET /users/{username}`; the parameters fill it and are encoded. */
  get(
    route: string,
    parameters: Readonly<Record<string, string | number>>,
    options: CallOptions & { readonly etag?: string | undefined },
  ): Promise<HostReply>;
  /** The fields of the query; null for those of which the platform told an error of their own, such as that there is none. */
  graphql(query: string, variables: Readonly<Record<string, unknown>>, options: CallOptions): Promise<GraphqlFields>;
}

export function createHostClient({ tokens, apiUrl, userAgent, ...rest }: HostClientOptions): HostClient {
  const { onNotice = () => {}, now = Date.now, stopwatch = () => performance.now(), retries = 1 } = rest;
  const retry = { ...RETRY, retries };
  const octokits = tokens.map((auth) => new HostOctokit({ ...OPTIONS, retry, auth, baseUrl: apiUrl, userAgent }));
  const ring = new TokenRing(octokits, { now, stopwatch });
  for (const token of ring.tokens) {
    token.holder.hook.after('request', ({ headers }, { url }) => ring.note(token, resourceOf(url), headers));
  }
  return new TokenClient(ring, onNotice);
}

/** The largest answers, of a hundred profiles, have some hundred kilobytes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const REFUSED_REST_MS = 10 * 60_000;
/** What is refused without telling how long is asked again after a minute, as the platform wants it. */
const LIMITED_REST_MS = 60_000;

const HostOctokit = Octokit.plugin(retry);
const nothing = () => undefined;
const OPTIONS = {
  log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  request: { fetch: followNear(boundedFetch(MAX_BODY_BYTES)) },
};
/** What concerns the token or the request is not asked again in the same way. */
const RETRY = { doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451], retryAfterBaseValue: 250 };

type Client = InstanceType<typeof HostOctokit>;

class TokenClient implements HostClient {
  readonly #ring: TokenRing<Client>;
  readonly #notice: (message: string) => void;

  constructor(ring: TokenRing<Client>, notice: (message: string) => void) {
    this.#ring = ring;
    this.#notice = notice;
  }

  get(...[route, parameters, { etag, ...options }]: Parameters<HostClient['get']>): Promise<HostReply> {
    return this.#call<HostReply>(resourceOf(route), options, async (token, request) => {
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      try {
        const answer = await token.holder.request(route, { ...parameters, headers, request });
        const data: unknown = answer.data;
        return { state: 'found', data, etag: answer.headers.etag };
      } catch (error) {
        if (isAbsent(error)) return { state: 'absent' };
        if (isUnchanged(error)) return { state: 'unchanged' };
        throw error;
      }
    });
  }

  graphql(...[query, variables, options]: Parameters<HostClient['graphql']>): Promise<GraphqlFields> {
    return this.#call('graphql', options, async (token, request) => {
      try {
        return fieldsOf(await token.holder.graphql(query, { ...variables, request }), []);
      } catch (error) {
        const told = graphqlErrors(error);
        if (told === undefined) throw error;
        return fieldsOf(told.data, told.errors);
      }
    });
  }

  /** Tries one token after the other, as long as the fault is the token's. */
  async #call<Reply>(
    resource: HostResource,
    { deadlineMs, signal }: CallOptions,
    ask: (token: Token<Client>, request: { readonly signal: AbortSignal }) => Promise<Reply>,
  ): Promise<Reply> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const ends = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    let refused: HostError | undefined;
    for (let token = this.#ring.pick(resource); token !== undefined; token = this.#ring.pick(resource)) {
      try {
        // The library would wait before it finds that the time is over.
        return await Promise.race([ask(token, { signal: ends }), rejectedAt(ends)]);
      } catch (error) {
        signal?.throwIfAborted();
        if (deadline.aborted) throw new HostError('away', `The platform did not answer within ${deadlineMs} ms.`);
        refused = this.#blame(token, resource, error);
      }
    }
    if (refused?.failure === 'unauthorized') throw refused;
    const retryAt = this.#ring.soonest(resource);
    throw new HostError('limited', `The platform takes no more requests until ${retryAt.toISOString()}.`, retryAt);
  }

  /** Lets the token rest whose fault the error is; throws an error of which another token would be no better. */
  #blame(token: Token<Client>, resource: HostResource, thrown: unknown): HostError {
    const { error, headers, waitMs = LIMITED_REST_MS } = explainFailure(thrown);
    this.#ring.note(token, resource, headers);
    if (error.failure === 'unauthorized') {
      this.#notice(`Token ${token.place} of GITHUB_TOKEN is rejected; it is tried again in ten minutes.`);
      this.#ring.rest(token, REFUSED_REST_MS);
    } else if (error.failure !== 'limited') throw error;
    else if (this.#ring.isReady(token, resource)) this.#ring.rest(token, waitMs);
    return error;
  }
}

function rejectedAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** What the platform counts a request on, by its route or URL. */
function resourceOf(route: string): HostResource {
  if (route.includes('/graphql')) return 'graphql';
  return route.includes('/search/') ? 'search' : 'core';
}

/** Throws what concerns the query as a whole: an error of one field has a path. */
function fieldsOf(data: unknown, errors: readonly GraphqlError[]): GraphqlFields {
  if (errors.some(({ type }) => type === 'RATE_LIMITED')) {
    throw new HostError('limited', 'The platform takes no more requests for now.');
  }
  const other = errors.find(({ path }) => path?.[0] === undefined);
  if (other !== undefined) {
    throw new HostError('away', `The platform failed to answer a query${other.type ? ` (${other.type})` : ''}.`);
  }
  if (typeof data !== 'object' || data === null) {
    throw new HostError('unreadable', 'The platform sent what cannot be read.');
  }
  return { ...data };
}
