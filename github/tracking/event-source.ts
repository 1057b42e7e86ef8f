import { sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import {
  FEED_EVENTS,
  type FeedEvent,
  type FeedPage,
  PAGE_SIZES,
  readFeedPage,
  requestFeedPage,
  unreadableFeed,
} from './event-feed.js';
import { queuePages } from './feed-pages.js';
import {
  completed,
  type FeedPoll,
  FRESH_MS,
  isOlder,
  type Source,
  type SourceState,
  secondsBefore,
  succeeded,
} from './source.js';

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
