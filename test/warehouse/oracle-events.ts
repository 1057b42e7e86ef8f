import { createHash } from 'node:crypto';

/**
 * A row of github_events. The tests compute it from the JSON without using code of the import. Times are `YYYY-MM-DD HH:MM:SS`. Missing
 * values are null.
 */
export interface EventRow {
  readonly id: number | null;
  readonly type: string;
  readonly created_at: string;
  readonly repo_id: number | null;
  readonly repo_name: string | null;
  readonly actor_id: number | null;
  readonly actor_login: string | null;
  readonly language: string | null;
  readonly additions: number | null;
  readonly deletions: number | null;
  readonly action: string | null;
  readonly number: number | null;
  readonly commit_id: string | null;
  readonly comment_id: number | null;
  readonly org_login: string | null;
  readonly org_id: number | null;
  readonly state: string | null;
  readonly closed_at: string | null;
  readonly comments: number | null;
  readonly pr_merged_at: string | null;
  readonly pr_merged: number | null;
  readonly pr_changed_files: number | null;
  readonly pr_review_comments: number | null;
  readonly pr_or_issue_id: number | null;
  readonly event_day: string;
  readonly event_month: string;
  readonly event_year: number;
  readonly push_size: number | null;
  readonly push_distinct_size: number | null;
  readonly creator_user_login: string | null;
  readonly creator_user_id: number | null;
  readonly pr_or_issue_created_at: string | null;
  /** The provisional id of the repository, or 0 if the event has a real id. */
  readonly provisional_repo_id: number;
  /** The provisional id of the actor, or 0 if the event has a real id. */
  readonly provisional_actor_id: number;
}

export type Json = { readonly [key: string]: Json } & { readonly length?: number };

export function expectedEvent(event: Json): EventRow {
  const payload = object(event.payload);
  const pr = object(payload.pull_request);
  const issue = object(payload.issue);
  const base = object(object(pr.base).repo);
  const { name, login, createdAt } = whoAndWhere(event);
  const creator = typeof object(issue.user).id === 'number' ? object(issue.user) : object(pr.user);
  return {
    id: numberOf(event.id),
    type: String(event.type),
    created_at: createdAt,
    repo_id: repoId(event, name),
    repo_name: name,
    actor_id: actorId(event, login),
    actor_login: login,
    language: textOf(base.language ?? object(event.repository).language),
    additions: numberOf(pr.additions),
    deletions: numberOf(pr.deletions),
    action: textOf(payload.action),
    number: numberOf(issue.number ?? pr.number ?? payload.number),
    commit_id: textOf(object(payload.comment).commit_id ?? object(payload.review).commit_id ?? payload.commit),
    comment_id: numberOf(object(payload.comment).id ?? payload.comment_id),
    org_login: textOf(object(event.org).login ?? object(event.repository).organization),
    org_id: numberOf(object(event.org).id),
    state: textOf(issue.state ?? pr.state),
    closed_at: time(issue.closed_at ?? pr.closed_at) ?? null,
    comments: numberOf(issue.comments ?? pr.comments),
    ...merge(payload, createdAt),
    pr_changed_files: numberOf(pr.changed_files),
    pr_review_comments: numberOf(pr.review_comments),
    pr_or_issue_id: numberOf(issue.id ?? pr.id ?? (number(payload.issue) ? payload.issue : payload.issue_id)),
    event_day: createdAt.slice(0, 10),
    event_month: `${createdAt.slice(0, 7)}-01`,
    event_year: Number(createdAt.slice(0, 4)),
    ...pushSizes(payload),
    creator_user_login: textOf(creator.login),
    creator_user_id: numberOf(creator.id),
    pr_or_issue_created_at: time(issue.created_at ?? pr.created_at) ?? null,
    provisional_repo_id: Math.min(0, repoId(event, name) ?? 0),
    provisional_actor_id: Math.min(0, actorId(event, login) ?? 0),
  };
}

/** Returns the provisional id of a name: the first 52 bits of the MD5 hash of the name, as a negative number. */
export function madeId(name: string): number {
  return -Number.parseInt(createHash('md5').update(name.toLowerCase()).digest('hex').slice(0, 13), 16);
}

function whoAndWhere(event: Json): { name: string | null; login: string | null; createdAt: string } {
  const { actor, actor_attributes: attributes, repo, repository } = event;
  const login = typeof actor === 'string' ? actor : (object(actor).login ?? object(attributes).login);
  const api = object(repo).name;
  const timeline = repository === undefined ? null : `${repository.owner}/${repository.name}`;
  const name = api === undefined || api === text('/') ? timeline : String(api);
  return { name, login: textOf(login), createdAt: time(event.created_at) ?? '' };
}

function repoId(event: Json, name: string | null): number | null {
  const payload = object(event.payload);
  const base = object(object(object(payload.pull_request).base).repo);
  const id = object(event.repo).id ?? object(event.repository).id ?? payload.repository_id ?? base.id;
  return numberOf(id) ?? (name === null ? null : madeId(name));
}

function actorId(event: Json, login: string | null): number | null {
  const own = object(event.actor).id;
  if (own !== undefined) return Number(own);
  const payload = object(event.payload);
  const users = ['pull_request', 'issue', 'comment', 'review'].map((key) => object(object(payload[key]).user));
  if (login === null) return null;
  const same = users.find((user) => String(user.login ?? '').toLowerCase() === login.toLowerCase() && number(user.id));
  return Number(same?.id ?? madeId(login));
}

/** A pull request is merged if the action is `merged` (later events) or if the event contains the merge. */
function merge(payload: Json, createdAt: string): Pick<EventRow, 'pr_merged_at' | 'pr_merged'> {
  const pr = object(payload.pull_request);
  const isMerged = payload.action === text('merged') || pr.merged === flag(true) || typeof pr.merged_at === 'string';
  if (isMerged) return { pr_merged_at: time(pr.merged_at) ?? createdAt, pr_merged: 1 };
  return { pr_merged_at: null, pr_merged: pr.merged === flag(false) ? 0 : null };
}

/** In the format of the second era, the fifth member of a commit states whether the commit is new to the repository. */
function pushSizes(payload: Json): Pick<EventRow, 'push_size' | 'push_distinct_size'> {
  const shas = payload.shas as unknown as (readonly unknown[])[] | undefined;
  const isMarked = shas?.every((sha) => sha.length > 4) === true;
  return {
    push_size: numberOf(payload.size ?? shas?.length),
    push_distinct_size: numberOf(
      payload.distinct_size ?? (isMarked ? shas.filter((sha) => sha[4] !== false).length : undefined),
    ),
  };
}

function numberOf(value: unknown): number | null {
  return value === undefined || value === null ? null : Number(value);
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

function time(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return new Date(value).toISOString().slice(0, 19).replace('T', ' ');
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : ({} as Json);
}

function number(value: unknown): boolean {
  return typeof value === 'number';
}

function text(value: string): Json {
  return value as unknown as Json;
}

function flag(value: boolean): Json {
  return value as unknown as Json;
}
