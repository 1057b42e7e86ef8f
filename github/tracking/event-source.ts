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

/** An event of a feed. `line` is its JSON, as in an archive file. The time is `YYYY-MM-DD HH:MM:SS`. */
interface FeedEvent {
  /** Different events have different keys. */
  readonly key: string;
  readonly createdAt: string;
  readonly line: string;
}

/** A page of events, newest first. */
interface FeedPage {
  readonly events: readonly FeedEvent[];
  readonly hasNext: boolean;
  readonly etag: string | undefined;
  /** The minimum time until the next poll. */
  readonly pollSeconds: number;
}

/**
 * Requests a page of the feed of a repository: at most 300 events of the last 30 days. The reply is `absent` if the repository does not
 * exist or is not visible. Rejects with `GitHubError`.
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
 * Reads a page. Throws `GitHubError` if it has an unknown form, if an event belongs to another repository or is more than a day in the
 * future, or if the events are larger than `MAX_BYTES`.
 */
function readFeedPage(
  { data, hasNext, etag, pollSeconds = 0 }: FoundReply,
  repoId: number,
  requestedAt: Date,
): FeedPage {
  if (!Array.isArray(data)) throw unreadableFeed();
  // New events shift the pages while they are read, so two pages can contain the same event. Here, duplicates within a page are removed.
  const read = data.map((event) => readEvent(event, repoId));
  const events = [...new Map(read.map((event) => [event.key, event])).values()];
  const latest = sqlTime(new Date(requestedAt.getTime() + CLOCK_TOLERANCE_MS));
  const bytes = events.reduce((sum, { line }) => sum + Buffer.byteLength(line), 0);
  if (bytes > MAX_BYTES || events.some(({ createdAt }) => createdAt > latest)) throw unreadableFeed();
  return { events, hasNext, etag, pollSeconds };
}

const ROUTE = 'GET /repositories/{id}/events';
/** The maximum number of events in a feed. */
const FEED_EVENTS = 300;
/**
 * The sizes of the pages of a poll, which contain the events 1 to 100, 91 to 180, 161 to 240 and 226 to 300. Because the pages overlap, a
 * common event proves that nothing is missing between two pages, even if GitHub answers one of them from a cache without the newest events.
 */
const PAGE_SIZES: readonly number[] = [100, 90, 80, 75];

/** The maximum difference between the clocks of GitHub and of this machine. */
const CLOCK_TOLERANCE_MS = 86_400_000;
/** TiDB stores at most 6 MB in a row. A page of a hundred events needs about 300 kB. */
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

/**
 * Returns the event as a line of JSON. Long texts and lists are truncated, because long comments, descriptions and lists of commits are not
 * needed.
 */
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
    // The JSON is nested too deeply to convert.
    throw unreadableFeed();
  }
}

const TIME = /^20\d\d-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
/** The maximum length of a text in the line. No column is longer. */
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
 * The events of a repository, with their accounts. The feed only contains the newest 300 events, so the time of the next poll depends on
 * how frequent they are. Pages are queued in the database until `loadFeedPages` loads many of them together.
 */
export const EVENT_SOURCE: Source<FeedPage> = {
  name: 'events',
  // New events shift the pages, so each poll starts with the first page.
  start: (state) => ({ ...state, nextPage: 1 }),
  // If the time of the next poll is too far in the future, it was computed while the clock was wrong.
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
  // The stored events of a removed repository are still true, so nothing is removed.
  remove: async () => undefined,
};

const [FIRST_SIZE = 0] = PAGE_SIZES;
const NO_KEYS: ReadonlySet<string> = new Set();
/** A feed contains the events of this period. */
const FEED_SECONDS = 30 * 86_400;
/** GitHub can publish events with this delay, so each poll also reads this period before the newest known event. */
const DELAY_SECONDS = 6 * 3_600;
const MIN_PAUSE_SECONDS = 600;
const MAX_PAUSE_SECONDS = FRESH_MS / 1_000;
/** The maximum pause that is accepted from GitHub. */
const MAX_POLL_SECONDS = 86_400;

/** Returns the state after a page of a feed. */
function advance(state: SourceState, page: FeedPage, requestedAt: Date): SourceState {
  const { events, hasNext } = page;
  const { nextPage } = state;
  const size = PAGE_SIZES[nextPage - 1] ?? 0;
  const isLast = nextPage >= PAGE_SIZES.length;
  const known = knownEvent(state, requestedAt);
  const overlap = known && secondsBefore(known, DELAY_SECONDS);
  const before = nextPage > 1 && state.poll !== undefined ? state.poll : firstPage(page, requestedAt);
  const times = events.map(({ createdAt }) => createdAt).sort();
  // If this page has no event in common with the previous page, events between the two may be missing.
  const isJoined = nextPage === 1 || events.some(({ key }) => before.keys.has(key));
  const [oldestAt] = [isJoined ? times[0] : undefined, before.oldestAt].flatMap((time) => time ?? []).sort();
  const isNew = ({ key, createdAt }: FeedEvent) => createdAt >= (overlap ?? '') && !before.keys.has(key);
  const lines = events.filter(isNew).map(({ line }) => line);
  const poll = { ...before, oldestAt, page: nextPage, lines, keys: new Set(events.map(({ key }) => key)) };
  const isReached = overlap !== undefined && oldestAt !== undefined && oldestAt < overlap;
  if (isJoined && hasNext && !isReached && !isLast)
    return { ...succeeded(state, requestedAt), nextPage: nextPage + 1, poll };
  // A full page without a link to the next page may have lost the link, so it is not treated as the end.
  const isCut = !isJoined || hasNext || isLast || events.length >= size;
  return complete(state, poll, isCut, requestedAt);
}

/** Returns the state after a poll whose first page has not changed. */
function unchanged(state: SourceState, requestedAt: Date, pollSeconds = 0): SourceState {
  const { updatedSince, checkedAt, dueAt, etag } = state;
  // The request contained no etag, so the response "not modified" is invalid.
  if (etag === undefined || checkedAt === undefined || dueAt === undefined) throw unreadableFeed();
  const pauseSeconds = pauseOf(2 * secondsBetween(checkedAt, dueAt), pollSeconds);
  const poll = { newestAt: undefined, oldestAt: updatedSince, etag, pauseSeconds, page: 1, lines: [], keys: NO_KEYS };
  return complete(state, poll, false, requestedAt);
}

/**
 * Returns the state after the last page of a poll. `isCut` means that older events may be missing; otherwise the poll has all events of 30
 * days. If the poll reaches back to the newest known event, no event is missing in between, and the range of the previous poll continues.
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
  // If the known events should still be in the feed but are not, the feed has lost events. After a loss, a new range starts with this poll.
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

/** Returns the time of the newest known event. A time in the future is ignored, because it was stored while the clock was wrong. */
function knownEvent({ updatedSince }: SourceState, now: Date): string | undefined {
  return updatedSince !== undefined && updatedSince <= sqlTime(now) ? updatedSince : undefined;
}

/** Returns the seconds until the next poll. `pollSeconds` is the minimum that GitHub asks for. */
function pauseOf(seconds: number, pollSeconds: number): number {
  return Math.max(MIN_PAUSE_SECONDS, Math.min(MAX_POLL_SECONDS, pollSeconds), Math.min(MAX_PAUSE_SECONDS, seconds));
}

function firstPage({ events, etag, pollSeconds }: FeedPage, requestedAt: Date): FeedPoll {
  const time = sqlTime(requestedAt);
  const times = events.map(({ createdAt }) => createdAt).sort();
  const [oldestAt] = times;
  // Estimates half of the time in which the repository has as many events as the feed can contain.
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
