import type { EndpointDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { rememberLast } from '../remember.js';
import type { CacheOutcome, ServedAnswer, StoredAnswer } from './stored-answer.js';

/** The headers of answers of deprecated endpoints. */
const DEPRECATION_HEADERS = ['Deprecation', 'Sunset'] as const;

/**
 * Returns the deprecation headers for answers of a definition: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). Each header contains the
 * start of its day in UTC. In the list, each name is followed by its value. Empty if the endpoint is not deprecated.
 */
export function deprecationHeaders({ deprecated, sunset }: EndpointDefinition): readonly string[] {
  if (deprecated === undefined) return NONE;
  const [deprecation, end] = DEPRECATION_HEADERS;
  const headers = [deprecation, `@${Date.parse(deprecated) / 1000}`];
  return sunset === undefined ? headers : [...headers, end, new Date(sunset).toUTCString()];
}

const NONE: readonly string[] = [];

/** The headers of stored answers that scripts of other origins may read (CORS). */
export const CACHE_HEADERS = ['Age', 'Cache-Status', 'ETag', 'Server-Timing', 'X-Data-Confirmed', 'X-Data-Version'];

/**
 * Adds the headers that describe how the cache handled a request and how old its answer is. In `list`, each name is
 * followed by its value.
 */
export function addCacheHeaders(list: string[], served: ServedAnswer, now: number): void {
  const { answer, outcome, confirmedAt, queryMs } = served;
  const timing = queryMs === undefined ? '' : `, db;dur=${Math.round(queryMs * 10) / 10}`;
  const control = cacheControl(answer, outcome);
  if (control === CHECKED) list.push(...CHECKED_LIST);
  else list.push('Cache-Control', control);
  list.push('Cache-Status', cacheStatus(outcome));
  list.push('Server-Timing', `cache;desc=${outcome.kind}${timing}`);
  if (outcome.kind === 'hit' || outcome.kind === 'stale') list.push('Age', String(ageOf(served, now)));
  list.push('X-Data-Confirmed', isoTime(confirmedAt));
  if (answer.version !== undefined) list.push('X-Data-Version', answer.version);
}

/**
 * Returns the seconds since the answer was known to be exact. RFC 9111 defines the age as the time since the response
 * was generated or validated at its origin. An answer with a version is valid again whenever the database confirms its version. An
 * answer with a fixed lifetime (`cache.ttl`) is never validated, so its age counts from its computation.
 */
export function ageOf({ answer, confirmedAt }: ServedAnswer, now: number): number {
  const since = answer.version === undefined ? answer.computedAt : confirmedAt;
  return Math.max(0, Math.floor((now - since) / 1000));
}

/**
 * Returns the value of `Cache-Control` for other caches. An answer with a version can change with the next commit, and
 * the service cannot know when, so other caches must revalidate it before each use. Other caches may reuse an answer
 * with a fixed lifetime as long as the service does. Shared caches must not store an answer that is not public, and other caches must not
 * store a stale answer.
 */
function cacheControl({ endpoint, versions, computedAt, validUntil }: StoredAnswer, { kind }: CacheOutcome): string {
  if (kind === 'stale') return 'no-store';
  if (endpoint.definition.access !== undefined) return PRIVATE;
  if (versions.size > 0 || kind === 'bypass' || !Number.isFinite(validUntil)) return CHECKED;
  // The header `Age` also counts from `computedAt`.
  return `public, max-age=${Math.max(0, Math.floor((validUntil - computedAt) / 1000))}`;
}

const CHECKED = 'public, no-cache';
/** For answers that are not public: only the browser of the caller may store them, and checks them before each use. */
const PRIVATE = 'private, no-cache';
/**
 * Headers with which other caches store an answer, and check its ETag before each use. nginx would not store an answer with `no-cache` or
 * `max-age=0`. `X-Accel-Expires` with a time in the past takes precedence, so that nginx stores the answer and checks it before each use.
 * `X-Accel-Expires` must precede `Cache-Control` for nginx before 1.23. nginx does not forward it.
 */
export const CHECKED_HEADERS = { 'X-Accel-Expires': '@1', 'Cache-Control': CHECKED } as const;
/** Returns the headers with which caches store an answer of an endpoint and check its ETag before each use. */
export function checkedHeaders({ definition }: Pick<Endpoint, 'definition'>): Readonly<Record<string, string>> {
  return definition.access === undefined ? CHECKED_HEADERS : { 'Cache-Control': PRIVATE };
}

/** Returns the headers of an answer of an endpoint that caches must not store, unless the endpoint is public. */
export function privateHeaders({ definition }: Pick<Endpoint, 'definition'>): Readonly<Record<string, string>> {
  return definition.access === undefined ? {} : { 'Cache-Control': 'no-store' };
}

const CHECKED_LIST = Object.entries(CHECKED_HEADERS).flat();

/** Returns the entry of this cache in the header `Cache-Status` (RFC 9211). */
function cacheStatus(outcome: CacheOutcome): string {
  switch (outcome.kind) {
    case 'hit':
      return outcome.level === 1 ? MEMORY_HIT : 'repo-insight; hit; detail=redis';
    case 'miss':
      return `repo-insight; fwd=miss${outcome.isStored ? '; stored' : ''}${outcome.isCollapsed ? '; collapsed' : ''}`;
    case 'stale':
      return `repo-insight; fwd=stale; detail=${outcome.reason}`;
    case 'bypass':
      return `repo-insight; fwd=bypass; detail=${quotedText(outcome.reason)}`;
  }
}

const MEMORY_HIT = 'repo-insight; hit; detail=memory';

/** Formats a string according to RFC 8941, which allows only printable ASCII characters. */
function quotedText(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

export const isoTime = rememberLast((ms) => new Date(ms).toISOString());

/** The headers about definitions that scripts of other origins may read (CORS). */
export const DEFINITION_HEADERS = ['X-Definition-Canary', 'X-Definition-Outdated', ...DEPRECATION_HEADERS];

/** Adds the headers about the definition of an answer. In `list`, each name is followed by its value. */
export function addDefinitionHeaders(list: string[], { definition, outdatedSince, isCandidate }: Endpoint): void {
  if (isCandidate) list.push('X-Definition-Canary', 'candidate');
  if (outdatedSince !== undefined) list.push('X-Definition-Outdated', outdatedSince.toISOString());
  list.push(...deprecationHeaders(definition));
}
