import type { EndpointDefinition } from '../../definitions/definition.js';
import type { Principal } from '../../definitions/principal.js';
import type { ApplyLimit, RateLimits } from '../operations/operation.js';
import { HttpProblem } from '../problems/http-problem.js';
import type { RedisConnection } from '../redis/redis.js';
import { type ClientRequest, clientAddress } from './client-address.js';
import { type Claim, createLimiter, type Limiter, takeAll, type Usage } from './limiter.js';

/** The headers that report the limits, which scripts of other origins may read (CORS). */
export const LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Limit-Minute',
  'X-RateLimit-Remaining-Minute',
] as const;

/** A limit of requests, and how answers report this limit. */
export interface RequestLimit {
  readonly limiter: Limiter;
  /** Requests with the same key share one count. */
  readonly keyOf: (request: ClientRequest) => string;
  /** The description of the limit in messages, such as `the limit of 600 requests per hour from one address`. */
  readonly description: string;
  /**
   * Names of the headers with the limit and the number of remaining requests. If undefined, answers do not report the
   * limit.
   */
  readonly headers?: { readonly limit: string; readonly remaining: string };
}

/** Called with the name of a limit that rejected a request. */
export type OnLimited = (limit: string) => void;

/** Limits that apply together. */
export interface LimitSet {
  readonly limits: readonly RequestLimit[];
  readonly onLimited: OnLimited;
}

/** The number of requests that each limit allows. 0 disables a limit and its headers. */
interface LimitSettings {
  readonly rateLimitPerHour: number;
  readonly rateLimitPerMinute: number;
  readonly playgroundPerMinute: number;
  readonly callerLimitPerMinute: number;
}

/** An API key, and the number of requests that it allows. Without these numbers, the limits per address apply. */
export interface LimitedKey {
  readonly id: string;
  readonly perHour?: number | undefined;
  readonly perMinute?: number | undefined;
}

/** Limits the secrets of an address that are not valid, because each of them needs a query of the database. */
export interface UnknownKeyLimit {
  /** Throws `rate_limited` for an address that has reached the limit. */
  readonly require: (client: ClientRequest) => void;
  /** Counts a secret that is not valid. */
  readonly count: (client: ClientRequest) => void;
}

export interface AllRateLimits extends RateLimits {
  /** The limits that `public` applies, for requests for definitions, which express does not handle. */
  readonly ofDefinitions: LimitSet;
  /** Returns the limits for requests for definitions with this API key. */
  readonly ofKey: (key: LimitedKey) => LimitSet;
  /** The limit of API keys that are not valid, for keys that only a database can check. */
  readonly ofUnknownKeys: UnknownKeyLimit;
  /** Counts a request for the limit of its definition, for its caller or else its address. Throws `rate_limited`. */
  readonly ofDefinition: (
    definition: EndpointDefinition,
    client: ClientRequest,
    caller: Principal | undefined,
  ) => Promise<void>;
  /** Adds the time for which the database worked on a playground query of a client. */
  readonly countPlaygroundTime: (client: string, ms: number) => void;
}

/** The minimum time limit for playground queries of one client per minute. */
const MIN_PLAYGROUND_MS = 30_000;
/** The milliseconds that each allowed query adds to the time limit. */
const MS_PER_QUERY = 1_500;

/**
 * Creates all rate limits of the service. Requests are counted in Redis if `redis` is given, otherwise in memory.
 * `onLimited` is called with the name of the limit that rejects a request.
 */
export function createRateLimits(
  settings: LimitSettings,
  redis?: RedisConnection,
  onLimited: OnLimited = () => {},
): AllRateLimits {
  const ofDefinitions = { limits: publicLimits(settings, redis), onLimited };
  const ofAddress = (name: string, points: number, what: string) =>
    applyLimits(minuteLimits(name, points, what, redis), onLimited);
  const { playgroundPerMinute } = settings;
  const queries = minuteLimits('playground', playgroundPerMinute, 'playground queries', redis);
  const time = playgroundTime(Math.max(MIN_PLAYGROUND_MS, playgroundPerMinute * MS_PER_QUERY), redis);
  return {
    ofDefinitions,
    ofKey: createKeyLimits(ofDefinitions, redis),
    ofUnknownKeys: createUnknownKeyLimit(settings.callerLimitPerMinute, onLimited),
    ofDefinition: createDefinitionLimits(redis, onLimited),
    public: applyLimits(ofDefinitions.limits, onLimited),
    playground: applyLimits(playgroundPerMinute > 0 ? [...queries, time] : [], onLimited),
    countPlaygroundTime: (client, ms) => time.limiter.known.add(client, Math.ceil(ms)),
    lookup: ofAddress('lookups', settings.callerLimitPerMinute, 'lookups'),
    signIn: ofAddress('sign-in', settings.callerLimitPerMinute, 'sign-in requests'),
    general: applyLimits(generalLimits(settings.callerLimitPerMinute), onLimited),
    change: changeLimit(settings.callerLimitPerMinute, redis, onLimited),
  };
}

/**
 * Counts a request against every limit and sets the headers of its answer. If the request exceeds one limit, it is not
 * counted against any limit, and `rate_limited` is thrown with `Retry-After` in seconds.
 */
export function applyLimits(limits: readonly RequestLimit[], onLimited: OnLimited = () => {}): ApplyLimit {
  const set = { limits, onLimited };
  return async (request) => {
    const usages = await takeAll(claimsOf(set, request));
    const { res: response } = request;
    // The headers may already be sent: one request can contain several calls, and the first answer may have begun.
    if (response?.headersSent === false) {
      addLimitHeaders(set, usages, (name, value) => response.setHeader(name, value));
    }
    rejectOver(set, usages);
  };
}

/** Throws `rate_limited` with `Retry-After` in seconds if a request exceeds a limit. */
export function rejectOver({ limits, onLimited }: LimitSet, usages: readonly Usage[]): void {
  let longest: { readonly limit: RequestLimit; readonly usage: Usage } | undefined;
  for (const [index, limit] of limits.entries()) {
    const usage = usages[index];
    if (usage?.isOver && usage.resetMs >= (longest?.usage.resetMs ?? 0)) longest = { limit, usage };
  }
  if (longest === undefined) return;
  onLimited(longest.limit.limiter.limit.name);
  throw rateLimited(longest.limit.description, longest.usage);
}

/** Returns the points that a request takes. */
export function claimsOf({ limits }: Pick<LimitSet, 'limits'>, request: ClientRequest): Claim[] {
  return limits.map(({ limiter, keyOf }) => ({ limiter, key: keyOf(request) }));
}

/** Passes the headers that report the limits to `add`. */
export function addLimitHeaders(
  { limits }: Pick<LimitSet, 'limits'>,
  usages: readonly Usage[],
  add: (name: string, value: string) => void,
): void {
  for (let index = 0; index < limits.length; index += 1) {
    const { headers } = limits[index] as RequestLimit;
    const usage = usages[index];
    if (headers === undefined || usage === undefined) continue;
    add(headers.limit, String(usage.points));
    add(headers.remaining, String(usage.remaining));
  }
}

/** Writes the headers that report the limits as lines of text. */
export function limitLines(limits: Pick<LimitSet, 'limits'>, usages: readonly Usage[]): string {
  let lines = '';
  addLimitHeaders(limits, usages, (name, value) => {
    lines += `${name}: ${value}\r\n`;
  });
  return lines;
}

const ADDRESS_LIMIT = 'v1-address';

/**
 * Creates the limits of `/v1` and `/q`: a limit per address and hour, and a limit per minute for all addresses
 * together.
 */
function publicLimits(
  { rateLimitPerHour, rateLimitPerMinute }: LimitSettings,
  redis: RedisConnection | undefined,
): RequestLimit[] {
  const [limit, remaining, limitMinute, remainingMinute] = LIMIT_HEADERS;
  const perAddress: RequestLimit = {
    limiter: createLimiter({ name: ADDRESS_LIMIT, points: rateLimitPerHour, seconds: 3600 }, redis),
    keyOf: clientAddress,
    description: `the limit of ${rateLimitPerHour} requests per hour from one address`,
    headers: { limit, remaining },
  };
  const ofAll: RequestLimit = {
    limiter: createLimiter({ name: 'v1-all', points: rateLimitPerMinute, seconds: 60, maxKeys: 1 }, redis),
    keyOf: () => 'all',
    description: `the limit of ${rateLimitPerMinute} requests per minute from all addresses together`,
    headers: { limit: limitMinute, remaining: remainingMinute },
  };
  return [perAddress, ofAll].filter(({ limiter }) => limiter.limit.points > 0);
}

/**
 * Creates the function that returns the limits of API keys. The limits of a key replace the limit per address; the limit for all addresses
 * together always applies.
 */
function createKeyLimits(
  { limits: ofDefinitions, onLimited }: LimitSet,
  redis: RedisConnection | undefined,
): AllRateLimits['ofKey'] {
  const limiters = new Map<string, Limiter>();
  const limiterOf = (name: string, points: number, seconds: number) => {
    const known = limiters.get(`${name} ${points}`);
    const limiter = known ?? createLimiter({ name, points, seconds }, redis);
    limiters.set(`${name} ${points}`, limiter);
    return limiter;
  };
  const [limit, remaining, limitMinute, remainingMinute] = LIMIT_HEADERS;
  return ({ id, perHour, perMinute }) => {
    const keyOf = () => id;
    const ofService = ofDefinitions.filter(({ limiter }) => limiter.limit.name !== ADDRESS_LIMIT);
    // The headers report the limits of the key, not those of all callers together.
    const limits: RequestLimit[] = ofService.map(({ headers: _, ...limit }) => limit);
    if (perMinute !== undefined) {
      const description = `the limit of ${perMinute} requests per minute of the API key`;
      const headers = { limit: limitMinute, remaining: remainingMinute };
      limits.push({ limiter: limiterOf('key-minute', perMinute, 60), keyOf, description, headers });
    }
    if (perHour !== undefined) {
      const description = `the limit of ${perHour} requests per hour of the API key`;
      const headers = { limit, remaining };
      limits.push({ limiter: limiterOf('key-hour', perHour, 3600), keyOf, description, headers });
    }
    return { limits: perMinute === undefined && perHour === undefined ? ofDefinitions : limits, onLimited };
  };
}

/** Creates the function that counts requests for the limits of definitions. */
function createDefinitionLimits(
  redis: RedisConnection | undefined,
  onLimited: OnLimited,
): AllRateLimits['ofDefinition'] {
  const limiters = new Map<string, Limiter>();
  return async ({ name, limits: { requests } }, client, caller) => {
    if (requests === undefined) return;
    const { points, seconds } = requests;
    // A canary can have another limit than the version that it replaces.
    const id = `${name} ${points} ${seconds}`;
    const limiter = limiters.get(id) ?? createLimiter({ name: `definition:${name}`, points, seconds }, redis);
    limiters.set(id, limiter);
    const keyOf = (request: ClientRequest) => caller?.id ?? clientAddress(request);
    const description = `the limit of ${points} requests in ${seconds} s of one caller for ${name}`;
    const set = { limits: [{ limiter, keyOf, description }], onLimited };
    rejectOver(set, await takeAll(claimsOf(set, client)));
  };
}

/** Creates the limit of API keys that are not valid. Each process counts separately. */
function createUnknownKeyLimit(points: number, onLimited: OnLimited): UnknownKeyLimit {
  const limits = minuteLimits('unknown-keys', points, 'API keys that are not valid', undefined);
  return {
    require: (client) => {
      for (const { limiter, keyOf, description } of limits) {
        const key = keyOf(client);
        if (limiter.known.countOf(key) < points) continue;
        onLimited(limiter.limit.name);
        throw rateLimited(description, { points, remaining: 0, resetMs: limiter.known.leftMs(key), isOver: true });
      }
    },
    count: (client) => {
      for (const { limiter, keyOf } of limits) limiter.known.add(keyOf(client));
    },
  };
}

/** Creates a limit per address and minute; none if it allows 0 points. */
function minuteLimits(
  name: string,
  points: number,
  what: string,
  redis: RedisConnection | undefined,
): readonly RequestLimit[] {
  const perAddress: RequestLimit = {
    limiter: createLimiter({ name, points, seconds: 60 }, redis),
    keyOf: clientAddress,
    description: `the limit of ${points} ${what} per minute from one address`,
  };
  return points > 0 ? [perAddress] : [];
}

/**
 * Creates the time limit for playground queries. The points of the limit are milliseconds: a request takes one point, and the remaining
 * time is added when its query ends. Processes that share a Redis see each other's times at the next request of the client.
 */
function playgroundTime(points: number, redis: RedisConnection | undefined): RequestLimit {
  const limit = { name: 'playground-time', points, seconds: 60 };
  return {
    limiter: createLimiter(limit, redis),
    keyOf: clientAddress,
    description: `the limit of ${points / 1_000} seconds of playground queries per minute from one address`,
  };
}

/**
 * Creates the limits for cheap requests, such as pages and API descriptions. Each process counts separately, because a
 * request to Redis would cost as much as such an answer.
 */
function generalLimits(callerLimitPerMinute: number): readonly RequestLimit[] {
  return minuteLimits('general', GENERAL_FACTOR * callerLimitPerMinute, 'requests', undefined);
}

/** The factor of the general limit, because a page of the console needs about ten requests. */
const GENERAL_FACTOR = 10;

/** Creates the limit for changes per user and minute, independent of the user's address. */
function changeLimit(points: number, redis: RedisConnection | undefined, onLimited: OnLimited): RateLimits['change'] {
  const limiter = createLimiter({ name: 'changes', points, seconds: 60 }, redis);
  const description = `the limit of ${points} changes per minute of one user`;
  return async (request, { id }) => {
    const perUser: RequestLimit = { limiter, keyOf: () => String(id), description };
    await applyLimits(points > 0 ? [perUser] : [], onLimited)(request);
  };
}

function rateLimited(description: string, { resetMs }: Usage): HttpProblem {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  const message = `The request exceeds ${description}; retry in ${seconds} s.`;
  return new HttpProblem('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}
