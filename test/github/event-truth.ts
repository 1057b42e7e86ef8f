import { findListed, type GitHubAnswer, type GitHubCall, NOT_FOUND } from './github-server.js';
import { withEtag } from './star-truth.js';

/** An event on the simulated GitHub. */
export interface TrueEvent {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: 'WatchEvent' | 'PushEvent' | 'ForkEvent' | 'IssuesEvent' | 'PullRequestEvent';
  /** The id of the actor, whose login is `user-<id>`. */
  readonly actor: number;
  /** The number of the issue or pull request that the event opens. */
  readonly number?: number;
}

export interface EventRepository {
  readonly id: number;
  readonly name: string;
  readonly events?: readonly TrueEvent[];
}

const MAX_EVENTS = 300;
const DAY_MS = 86_400_000;

/**
 * Answers requests for the events of repositories like GitHub: the newest 300 of the last 30 days, in pages, with an ETag and links. `url`
 * is the URL of the server.
 */
export function answerEvents(
  repositories: readonly EventRepository[],
  call: GitHubCall,
  { url, now }: { readonly url: string; readonly now: number },
): GitHubAnswer {
  const { pathname, searchParams } = new URL(call.path, url);
  const repository = findListed(repositories, call, 'events');
  if (repository === undefined) return NOT_FOUND;
  const [size, page] = [Number(searchParams.get('per_page') ?? 30), Number(searchParams.get('page') ?? 1)];
  if (size > 100 || size * page > MAX_EVENTS)
    return { status: 422, body: { message: 'In order to keep the API fast' } };
  const all = (repository.events ?? [])
    .filter(({ at }) => at <= now && at > now - 30 * DAY_MS)
    .sort((a, b) => b.at - a.at || b.id - a.id)
    .slice(0, MAX_EVENTS);
  const body = all.slice((page - 1) * size, page * size).map((event) => describeEvent(repository, event));
  const link =
    page * size < all.length ? { link: `<${url}${pathname}?per_page=${size}&page=${page + 1}>; rel="next"` } : {};
  return withEtag(body, call.etag, { ...link, 'x-poll-interval': '60' });
}

/** Returns the line of the event in an archive file. The order of its keys differs from that in the feed. */
export function archivedLine(repository: EventRepository, event: TrueEvent): string {
  return JSON.stringify(Object.fromEntries(Object.entries(describeEvent(repository, event)).reverse()));
}

function describeEvent({ id, name }: EventRepository, event: TrueEvent): object {
  return {
    id: String(event.id),
    type: event.type,
    actor: { id: event.actor, login: `user-${event.actor}`, display_login: `user-${event.actor}` },
    repo: { id, name, url: `https://example.org/repos/${name}` },
    payload: payloadOf(event),
    public: true,
    created_at: `${new Date(event.at).toISOString().slice(0, 19)}Z`,
  };
}

/** Returns a payload as since 2025-10: a push has no commits, and a pull request has few fields. */
function payloadOf({ id, type, number = 1 }: TrueEvent): object {
  if (type === 'WatchEvent') return { action: 'started' };
  if (type === 'ForkEvent') return { action: 'forked' };
  if (type === 'PushEvent')
    return { push_id: id, ref: 'refs/heads/main', head: 'a'.repeat(40), before: 'b'.repeat(40) };
  if (type === 'IssuesEvent')
    return { action: 'opened', issue: { id: number + 1_000, number, body: 'A long text. '.repeat(100) } };
  return { action: 'opened', number, pull_request: { id: number + 2_000, number } };
}
