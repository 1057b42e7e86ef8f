import { sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { isId } from '../lookups/github-records.js';
import { queuePages } from './feed-pages.js';
import {
  completed,
  type FeedPoll,
  type FoundReply,
  FRESH_MS,
  isOlder,
  type Source,
  type SourceState,
  secondsBefore,
  succeeded,
} from './source.js';

/** An event of a feed. `line` is its JSON, as in a file of the archive. The time is `YYYY-MM-DD HH:MM:SS`. */
interface FeedEvent {
  /** Different events have different keys. */
  readonly key: string;
  readonly createdAt: string;
  readonly line: string;
}

/** A page of events, the newest first. */
interface FeedPage {
  readonly events: readonly FeedEvent[];
  readonly hasNext: boolean;
  readonly etag: string | undefined;
  /** The least time until the next poll. */
  readonly pollSeconds: number;
}

/**
 * Requests a page of the feed of a repository: at most 300 events of the last 30 days. The reply is `absent` if GitHub has no such
 * repository or does not show it. Rejects with `GitHubError`.
 */
function requestFeedPage(
  client: GitHubClient,
  repoId: number,
  { nextPage, etag }: Pick<SourceState, 'nextPage' | 'etag'>,
  options: CallOptions,
): Promise<GitHubReply> {
  const parameters = { id: repoId, per_page: PAGE_SIZES[nextPage - 1] ?? FEED_EVENTS, page: nextPage };
  return client.get(ROUTE, parameters, { ...options, etag: nextPage === 1 ? etag : undefined });
}

/**
 * Reads a page. Throws `GitHubError` if it has an unknown form, if an event belongs to another repository or is more than a day later than
 * the request, or if the events have more than `MAX_BYTES`.
 */
function readFeedPage(
  { data, hasNext, etag, pollSeconds = 0 }: FoundReply,
  repoId: number,
  requestedAt: Date,
): FeedPage {
  if (!Array.isArray(data)) throw unreadableFeed();
  // Pages move while they are read, so that two can have the same event; one page has it once.
  const read = data.map((event) => readEvent(event, repoId));
  const events = [...new Map(read.map((event) => [event.key, event])).values()];
  const latest = sqlTime(new Date(requestedAt.getTime() + CLOCK_TOLERANCE_MS));
  const bytes = events.reduce((sum, { line }) => sum + Buffer.byteLength(line), 0);
  if (bytes > MAX_BYTES || events.some(({ createdAt }) => createdAt > latest)) throw unreadableFeed();
  return { events, hasNext, etag, pollSeconds };
}

const ROUTE = 'GET /repositories/{id}/events';
/** The number of events that a feed shows. */
const FEED_EVENTS = 300;
/**
 * The sizes of the pages of a poll: they have the events 1 to 100, 91 to 180, 161 to 240 and 226 to 300. Pages that overlap prove that nothing
 * is missing between them, also if GitHub answers one of them from a cache, as it was before the newest events.
 */
const PAGE_SIZES: readonly number[] = [100, 90, 80, 75];

/** The clocks of GitHub and of this machine can differ by this time. */
const CLOCK_TOLERANCE_MS = 86_400_000;
/** TiDB stores at most 6 MB in a row. A page of a hundred events has about 300 kB. */
const MAX_BYTES = 5_000_000;

function readEvent(data: unknown, repoId: number): FeedEvent {
  const { id, type, actor, repo, payload, created_at } = objectOf(data);
  const { id: account } = objectOf(actor);
  const isEvent =
    typeof id === 'string' &&
    /^[1-9]\d{0,17}$/.test(id) &&
    typeof type === 'string' &&
    /^[A-Za-z]{1,24}Event$/.test(type) &&
    typeof created_at === 'string' &&
    TIME.test(created_at) &&
    !Number.isNaN(Date.parse(created_at)) &&
    isId(account) &&
    objectOf(repo).id === repoId;
  if (!isEvent || Array.isArray(objectOf(payload))) throw unreadableFeed();
  const key = `${id} ${type} ${created_at} ${account}`;
  return { key, createdAt: sqlTime(new Date(created_at)), line: lineOf(data) };
}

/** The event as a line. Long texts and lists are truncated, because comments, descriptions and commits are not needed. */
function lineOf(event: unknown): string {
  try {
    return JSON.stringify(event, (_, value: unknown) => {
      if (typeof value === 'bigint') return String(value);
      if (Array.isArray(value)) return value.slice(0, MAX_ITEMS);
      return typeof value === 'string' && value.length > MAX_TEXT
        ? value.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')
        : value;
    });
  } catch {
    // It is nested too deeply.
    throw unreadableFeed();
  }
}

const TIME = /^20\d\d-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
/** No column is longer. */
const MAX_TEXT = 600;
const MAX_ITEMS = 20;

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw unreadableFeed();
  return value as Record<string, unknown>;
}

function unreadableFeed(): GitHubError {
  return new GitHubError('unreadable', 'GitHub sent a feed of events in an unknown form.');
}

/**
 * The events of the repository with their accounts. Its feed shows the newest 300, so the next poll depends on how many it has. The pages
 * wait in the database until `loadFeedPages` adds many of them together.
 */
export const EVENT_SOURCE: Source<FeedPage> = {
  name: 'events',
  // Pages move with each new event, so a poll begins with the first one.
  start: (state) => ({ ...state, nextPage: 1 }),
  // A time that is too late was computed while the clock was wrong.
  isOutdated: ({ nextPage, dueAt }, now) =>
    nextPage > 1 || isOlder(dueAt, 0, now) || (dueAt ?? '') > secondsBefore(sqlTime(now), -MAX_POLL_SECONDS),
  request: (client, repoId, state, call) => requestFeedPage(client, repoId, state, call),
  read: (reply, repoId, state, requestedAt) => {
    const page = readFeedPage(reply, repoId, requestedAt);
    return { page, after: advance(state, page, requestedAt) };
  },
  unchanged,
  restart: (state) => ({ ...state, nextPage: 1, etag: undefined }),
  store: (tables, pages) =>
    queuePages(
      tables,
      pages.flatMap(({ repoId, after: { poll } }) => (poll === undefined ? [] : [{ repoId, poll }])),
    ),
  // What the feed had stays true.
  remove: async () => undefined,
};

const [FIRST_SIZE = 0] = PAGE_SIZES;
const NO_KEYS: ReadonlySet<string> = new Set();
/** A feed has the events of this time. */
const FEED_SECONDS = 30 * 86_400;
/** GitHub delivers events up to this time late. So each poll also reads this time before the newest known event. */
const DELAY_SECONDS = 6 * 3_600;
const MIN_PAUSE_SECONDS = 600;
const MAX_PAUSE_SECONDS = FRESH_MS / 1_000;
/** A longer pause that GitHub asks for is not respected. */
const MAX_POLL_SECONDS = 86_400;

/** The state after a page of a feed. */
function advance(state: SourceState, page: FeedPage, requestedAt: Date): SourceState {
  const { events, hasNext } = page;
  const { nextPage } = state;
  const size = PAGE_SIZES[nextPage - 1] ?? 0;
  const isLast = nextPage >= PAGE_SIZES.length;
  const known = knownEvent(state, requestedAt);
  const overlap = known && secondsBefore(known, DELAY_SECONDS);
  const before = nextPage > 1 && state.poll !== undefined ? state.poll : firstPage(page, requestedAt);
  const times = events.map(({ createdAt }) => createdAt).sort();
  // Without an event of the page before, this one can be older than that one: what is between them is not known.
  const isJoined = nextPage === 1 || events.some(({ key }) => before.keys.has(key));
  const [oldestAt] = [isJoined ? times[0] : undefined, before.oldestAt].flatMap((time) => time ?? []).sort();
  const isNew = ({ key, createdAt }: FeedEvent) => createdAt >= (overlap ?? '') && !before.keys.has(key);
  const lines = events.filter(isNew).map(({ line }) => line);
  const poll = { ...before, oldestAt, page: nextPage, lines, keys: new Set(events.map(({ key }) => key)) };
  const isReached = overlap !== undefined && oldestAt !== undefined && oldestAt < overlap;
  if (isJoined && hasNext && !isReached && !isLast)
    return { ...succeeded(state, requestedAt), nextPage: nextPage + 1, poll };
  // A full page without a link can be one that has lost its links.
  const isCut = !isJoined || hasNext || isLast || events.length >= size;
  return complete(state, poll, isCut, requestedAt);
}

/** The state after a poll whose first page has not changed. */
function unchanged(state: SourceState, requestedAt: Date, pollSeconds = 0): SourceState {
  const { updatedSince, checkedAt, dueAt, etag } = state;
  // The request had no etag, so this is not an answer to it.
  if (etag === undefined || checkedAt === undefined || dueAt === undefined) throw unreadableFeed();
  const pauseSeconds = pauseOf(2 * secondsBetween(checkedAt, dueAt), pollSeconds);
  const poll = { newestAt: undefined, oldestAt: updatedSince, etag, pauseSeconds, page: 1, lines: [], keys: NO_KEYS };
  return complete(state, poll, false, requestedAt);
}

/**
 * The state after the last page of a poll. `isCut` says that the feed can have lost older events. Otherwise it has all events of 30 days. If
 * the poll has events from before the newest known one, nothing is missing after that one, and the range of the previous poll continues.
 */
function complete(state: SourceState, poll: FeedPoll, isCut: boolean, requestedAt: Date): SourceState {
  const time = sqlTime(requestedAt);
  const monthAgo = secondsBefore(time, FEED_SECONDS);
  const known = knownEvent(state, requestedAt);
  const { checkedAt = '' } = state;
  const wasRead = checkedAt > monthAgo && checkedAt <= time;
  const { oldestAt, newestAt } = poll;
  const hasKnown = known !== undefined && oldestAt !== undefined && (isCut ? oldestAt < known : oldestAt <= known);
  const needsKnown = isCut || (known !== undefined && known > secondsBefore(time, FEED_SECONDS - DELAY_SECONDS));
  const continues = wasRead && (hasKnown || !needsKnown);
  // A feed without the known events, although they are young, has lost some: nothing is known before this poll.
  const start = isCut ? (oldestAt ?? time) : wasRead ? time : monthAgo;
  const newest = [known, newestAt].flatMap((one) => one ?? []).sort();
  return {
    ...completed(state, requestedAt),
    dueAt: secondsBefore(time, -poll.pauseSeconds),
    updatedSince: newest.at(-1),
    nextPage: 1,
    etag: poll.etag,
    poll: { ...poll, range: { firstAt: continues ? undefined : start, lastAt: secondsBefore(time, DELAY_SECONDS) } },
  };
}

/** The time of the newest known event. A later time was stored while the clock was wrong. */
function knownEvent({ updatedSince }: SourceState, now: Date): string | undefined {
  return updatedSince !== undefined && updatedSince <= sqlTime(now) ? updatedSince : undefined;
}

/** The seconds until the next poll. `pollSeconds` is the least that GitHub asks for. */
function pauseOf(seconds: number, pollSeconds: number): number {
  return Math.max(MIN_PAUSE_SECONDS, Math.min(MAX_POLL_SECONDS, pollSeconds), Math.min(MAX_PAUSE_SECONDS, seconds));
}

function firstPage({ events, etag, pollSeconds }: FeedPage, requestedAt: Date): FeedPoll {
  const time = sqlTime(requestedAt);
  const times = events.map(({ createdAt }) => createdAt).sort();
  const [oldestAt] = times;
  // An estimate of half of the time in which the repository has as many events as its feed shows.
  const seconds = oldestAt === undefined ? 0 : secondsBetween(oldestAt, time);
  const half = events.length < FIRST_SIZE ? MAX_PAUSE_SECONDS : Math.round(((FEED_EVENTS / FIRST_SIZE) * seconds) / 2);
  return {
    newestAt: times.filter((one) => one <= time).at(-1),
    oldestAt: undefined,
    etag,
    pauseSeconds: pauseOf(half, pollSeconds),
    page: 1,
    lines: [],
    keys: NO_KEYS,
  };
}

function secondsBetween(first: string, last: string): number {
  return (Date.parse(isoTime(last)) - Date.parse(isoTime(first))) / 1_000;
}
