import { sqlTime } from '../../engine/index.js';
import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { isId } from '../records/github-records.js';
import type { FoundReply, SourceState } from './source.js';

/** An event of a feed. `line` is its JSON, as in a file of the archive. The time is `YYYY-MM-DD HH:MM:SS`. */
export interface FeedEvent {
  /** Different events have different keys. */
  readonly key: string;
  readonly createdAt: string;
  readonly line: string;
}

/** A page of events, the newest first. */
export interface FeedPage {
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
export function requestFeedPage(
  client: GitHubClient,
  repoId: number,
  { nextPage, etag }: Pick<SourceState, 'nextPage' | 'etag'>,
  options: CallOptions,
): Promise<GitHubReply> {
  const parameters = { id: repoId, per_page: PAGE_SIZES[nextPage - 1] ?? FEED_EVENTS, page: nextPage };
  return client.get(ROUTE, parameters, { ...options, etag: nextPage === 1 ? etag : undefined });
}

/** Reads a page. Throws `GitHubError` if it has an unknown form, events of another repository, or of a later time, or is very large. */
export function readFeedPage(
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
export const FEED_EVENTS = 300;
/**
 * The sizes of the pages of a poll: they have the events 1 to 100, 91 to 180, 161 to 240 and 226 to 300. Pages that overlap prove that nothing
 * is missing between them, also if GitHub answers one of them from a cache, as it was before the newest events.
 */
export const PAGE_SIZES: readonly number[] = [100, 90, 80, 75];

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

export function unreadableFeed(): GitHubError {
  return new GitHubError('unreadable', 'GitHub sent a feed of events in an unknown form.');
}
