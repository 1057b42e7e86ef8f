import { millisOf } from './times.js';
import type { Account, Fact } from './world.js';

/** Formats a fact as a line of an archive file, in the format `fact.shape`. Formats with event ids contain `id`. */
export function archiveLine(fact: Fact, id: number): string {
  const event = fact.shape === '2012' || fact.shape === '2013' ? timelineEvent(fact) : apiEvent(fact, id);
  return JSON.stringify(event, (_key, value) => (typeof value === 'bigint' ? `big ${value}` : value)).replaceAll(
    /"big (-?\d+)"/g,
    '$1',
  );
}

function apiEvent(fact: Fact, id: number): object {
  const { shape, type, at, repository, actor } = fact;
  return {
    id: String(id),
    type,
    actor: actor.id === 0n ? null : { id: actor.id, login: actor.login },
    repo: { id: repository.id, name: repository.name },
    payload: shape === '2011' ? earlyPayload(fact) : payload(fact),
    public: true,
    created_at: `${at.replace(' ', 'T')}Z`,
  };
}

/**
 * An event in the old format: times have a local offset, the actor is only a login, and there are details of the actor and the repository.
 */
function timelineEvent(fact: Fact): object {
  const { shape, type, at, repository, actor, details, profile } = fact;
  const slash = repository.name.indexOf('/');
  return {
    created_at: `${new Date(millisOf(at) - 7 * 3_600_000).toISOString().slice(0, 19)}-07:00`,
    type,
    actor: actor.id === 0n ? null : actor.login,
    ...(actor.id !== 0n && {
      actor_attributes: {
        login: actor.login,
        type: 'User',
        ...(profile && { name: profile.name, company: profile.organization, location: PLACES[profile.country] }),
      },
    }),
    repository: {
      ...(shape === '2013' && { id: repository.id }),
      owner: repository.name.slice(0, slash),
      name: repository.name.slice(slash + 1),
      ...(details && {
        language: details.language,
        description: details.description,
        watchers: details.stars,
        forks: details.forks,
        created_at: `${details.createdAt.replace(' ', 'T')}Z`,
      }),
    },
    payload: timelinePayload(fact),
  };
}

/** A location text for each country. */
const PLACES: Readonly<Record<string, string>> = {
  DE: 'Berlin, Germany',
  JP: '日本',
  US: 'Portland, USA',
  '': 'Nowhere',
};

function timelinePayload({ type, action, number, mergedAt }: Fact): object {
  const thread = number > 0 ? { number } : {};
  const id = Math.abs(number) + (number > 0 ? 1000 : 0);
  if (type === 'IssuesEvent') return { action, ...thread, issue: id };
  if (type === 'CreateEvent') return { object: 'repository' };
  if (type.startsWith('PullRequestReview')) return { comment_id: 1 };
  if (type !== 'PullRequestEvent') return { action };
  const isMerge = action === 'merged';
  const merge = isMerge ? { merged: true, merged_at: iso(mergedAt) } : { merged: false };
  return { action: isMerge ? 'closed' : action, ...thread, pull_request: { id, ...thread, ...merge } };
}

function earlyPayload({ type, action, number }: Fact): object {
  if (type.startsWith('PullRequestReview')) return { comment: { id: 1 } };
  if (type === 'PushEvent') return { shas: [['0', 'a@example.test', 'one', 'A']] };
  if (type === 'IssuesEvent') return { action, number, issue: number + 1000 };
  if (type === 'PullRequestEvent') return { action, number, pull_request: { number, id: number + 1000 } };
  return type === 'CreateEvent' ? { object: 'repository' } : { action };
}

function payload(fact: Fact): object {
  const { shape, type, action, number } = fact;
  switch (type) {
    case 'WatchEvent':
      return { action };
    case 'PushEvent':
      return shape === '2026' ? { push_id: 1 } : { size: 2, distinct_size: 1 };
    case 'CreateEvent':
      return { ref_type: 'repository' };
    case 'ForkEvent':
      return {};
    case 'IssueCommentEvent':
      return { action: 'created', issue: { number: 1 }, comment: { id: 1 } };
    case 'PullRequestReviewEvent':
      return { action, review: { id: 1 }, pull_request: { id: 1001, number: 1 } };
    case 'PullRequestReviewCommentEvent':
      return { action, comment: { id: 1 }, pull_request: reviewedPullRequest(fact) };
    case 'IssuesEvent':
      return { action, issue: { id: number + 1000, number, user: user(fact.creator) } };
    case 'PullRequestEvent':
      return pullRequestPayload(fact);
  }
}

function pullRequestPayload({ shape, action, number, creator, mergedAt, details }: Fact): object {
  if (shape === '2026') return { action, number, pull_request: { id: number + 1000, number } };
  const isMerge = action === 'merged';
  return {
    action: isMerge ? 'closed' : action,
    number,
    pull_request: {
      id: number + 1000,
      number,
      user: user(creator),
      merged: isMerge,
      merged_at: isMerge ? iso(mergedAt) : null,
      base: {
        repo: details && {
          language: details.language,
          description: details.description,
          stargazers_count: details.stars,
          forks_count: details.forks,
          created_at: iso(details.createdAt),
        },
      },
    },
  };
}

/** The pull request in a review event. It contains the merge time if the pull request was merged before the event. */
function reviewedPullRequest({ number, creator, mergedAt }: Fact): object {
  if (mergedAt === undefined) return { id: 1001, number: 1 };
  return { id: number + 1000, number, user: user(creator), merged_at: iso(mergedAt) };
}

function user(account: Account | undefined): object | undefined {
  return account && { id: account.id, login: account.login, type: 'User' };
}

function iso(time: string | undefined): string | null {
  return time === undefined ? null : `${time.replace(' ', 'T')}Z`;
}
