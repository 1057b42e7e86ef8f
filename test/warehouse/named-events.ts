/** Lines of archive files about repositories that have only a name, or a name and an id. */

/** The content of a line. A line of 2012 has no `id`. */
export interface NamedLine {
  readonly at: string;
  readonly name: string;
  readonly id?: number;
  readonly type?: 'WatchEvent' | 'ForkEvent' | 'PushEvent' | 'IssuesEvent' | 'PullRequestEvent';
  readonly actor?: string;
  readonly number?: number;
  readonly details?: object;
  /** The created repository in a fork event, in the format of 2015. */
  readonly forkee?: { readonly id: number; readonly full_name: string; readonly created_at: string };
}

/** A line in the format of 2012 to 2014. */
export function timelineLine({
  at,
  name,
  id,
  type = 'WatchEvent',
  actor = 'gil',
  number = 1,
  details,
}: NamedLine): string {
  const [owner, repository] = name.split('/');
  return JSON.stringify({
    created_at: at,
    type,
    actor,
    actor_attributes: { login: actor, type: 'User' },
    repository: { ...(id !== undefined && { id }), owner, name: repository, watchers: 1, forks: 0, ...details },
    payload: timelinePayload(type, number),
  });
}

/** A line in the format of 2015. */
export function apiLine({ at, name, id, type = 'WatchEvent', actor = 'gil', number = 1, forkee }: NamedLine): string {
  return JSON.stringify({
    id: String(Date.parse(at) / 1000),
    type,
    actor: { id: [...actor].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 100_003, login: actor },
    repo: { ...(id !== undefined && { id }), name },
    payload: forkee === undefined ? timelinePayload(type, number) : { forkee },
    created_at: at,
  });
}

function timelinePayload(type: string, number: number): object {
  if (type === 'WatchEvent') return { action: 'started' };
  if (type === 'IssuesEvent') return { action: 'opened', number, issue: number + 1000 };
  if (type === 'PullRequestEvent') return { action: 'opened', number, pull_request: { id: number + 2000, number } };
  return {};
}
