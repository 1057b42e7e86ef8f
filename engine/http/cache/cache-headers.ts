import { rememberLast } from '../remember.js';
import type { CacheOutcome, ServedAnswer, StoredAnswer } from './stored-answer.js';

/** The headers of stored answers that scripts of other origins may read. */
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
 * was generated or validated at its origin: an answer of a version is validated whenever its version is confirmed. An
 * answer that is kept for a time is never validated, so its age begins when it was computed.
 */
export function ageOf({ answer, confirmedAt }: ServedAnswer, now: number): number {
  const since = answer.version === undefined ? answer.computedAt : confirmedAt;
  return Math.max(0, Math.floor((now - since) / 1000));
}

/**
 * Returns what other caches may do with the answer. The next commit can change an answer of a version, and the service
 * cannot know when, so other caches must ask before each use. They may reuse an answer that is kept for a time as long
 * as the service does. They must not store a stale answer.
 */
function cacheControl({ versions, computedAt, validUntil }: StoredAnswer, { kind }: CacheOutcome): string {
  if (kind === 'stale') return 'no-store';
  if (versions.size > 0 || kind === 'bypass' || !Number.isFinite(validUntil)) return CHECKED;
  // The header `Age` counts from the same moment.
  return `public, max-age=${Math.max(0, Math.floor((validUntil - computedAt) / 1000))}`;
}

const CHECKED = 'public, no-cache';
/**
 * Let other caches store an answer, and check its ETag before each use. nginx does not store an answer with `no-cache` or
 * `max-age=0`. A time in the past has precedence, so that nginx stores the answer and checks it before each use. It must be before
 * `Cache-Control` for nginx before 1.23, and nginx does not forward it.
 */
export const CHECKED_HEADERS = { 'X-Accel-Expires': '@1', 'Cache-Control': CHECKED } as const;
const CHECKED_LIST = Object.entries(CHECKED_HEADERS).flat();

/** Writes the member of this cache for `Cache-Status` (RFC 9211). */
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

/** Writes a string of RFC 8941, which has only printable ASCII characters. */
function quotedText(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

export const isoTime = rememberLast((ms) => new Date(ms).toISOString());
