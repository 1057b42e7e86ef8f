import { createHash } from 'node:crypto';

/** A row of github_events, worked out from the JSON in a way of its own. Times are `YYYY-MM-DD HH:MM:SS`. */
export interface EventRow {
  readonly id: number;
  readonly type: string;
  readonly created_at: string;
  readonly repo_id: number;
  readonly repo_name: string;
  readonly actor_id: number;
  readonly actor_login: string;
  readonly language: string;
  readonly additions: number;
  readonly deletions: number;
  readonly action: string;
  readonly number: number;
  readonly commit_id: string;
  readonly comment_id: number;
  readonly org_login: string;
  readonly org_id: number;
  readonly state: string;
  readonly closed_at: string;
  readonly comments: number;
  readonly pr_merged_at: string;
  readonly pr_merged: number;
  readonly pr_changed_files: number;
  readonly pr_review_comments: number;
  readonly pr_or_issue_id: number;
  readonly event_day: string;
  readonly event_month: string;
  readonly event_year: number;
  readonly push_size: number;
  readonly push_distinct_size: number;
  readonly creator_user_login: string;
  readonly creator_user_id: number;
  readonly pr_or_issue_created_at: string;
  /** The id made from the name, 0 where the event carries one. */
  readonly provisional_repo_id: number;
}

export type Json = { readonly [key: string]: Json } & { readonly length?: number };

export function expectedEvent(event: Json): EventRow {
  const payload = object(event.payload);
  const pr = object(payload.pull_request);
  const issue = object(payload.issue);
  const base = object(object(pr.base).repo);
  const { name, login, createdAt } = whoAndWhere(event);
  const merged = payload.action === text('merged') || (payload.action === text('closed') && pr.merged === flag(true));
  const creator = typeof object(issue.user).id === 'number' ? object(issue.user) : object(pr.user);
  return {
    id: Number(event.id ?? 0),
    type: String(event.type),
    created_at: createdAt,
    repo_id: repoId(event, name),
    repo_name: name,
    actor_id: actorId(event, login),
    actor_login: login,
    language: String(base.language ?? object(event.repository).language ?? ''),
    additions: Number(pr.additions ?? 0),
    deletions: Number(pr.deletions ?? 0),
    action: String(payload.action ?? ''),
    number: Number(issue.number ?? pr.number ?? payload.number ?? 0),
    commit_id: String(object(payload.comment).commit_id ?? object(payload.review).commit_id ?? payload.commit ?? ''),
    comment_id: Number(object(payload.comment).id ?? payload.comment_id ?? 0),
    org_login: String(object(event.org).login ?? object(event.repository).organization ?? ''),
    org_id: Number(object(event.org).id ?? 0),
    state: String(issue.state ?? pr.state ?? ''),
    closed_at: time(issue.closed_at ?? pr.closed_at) ?? NEVER,
    comments: Number(issue.comments ?? pr.comments ?? 0),
    pr_merged_at: merged ? (time(pr.merged_at) ?? createdAt) : NEVER,
    pr_merged: merged ? 1 : 0,
    pr_changed_files: Number(pr.changed_files ?? 0),
    pr_review_comments: Number(pr.review_comments ?? 0),
    pr_or_issue_id: Number(issue.id ?? pr.id ?? (number(payload.issue) ? payload.issue : payload.issue_id) ?? 0),
    event_day: createdAt.slice(0, 10),
    event_month: `${createdAt.slice(0, 7)}-01`,
    event_year: Number(createdAt.slice(0, 4)),
    ...pushSizes(payload),
    creator_user_login: String(creator.login ?? ''),
    creator_user_id: Number(creator.id ?? 0),
    pr_or_issue_created_at: time(issue.created_at ?? pr.created_at) ?? NEVER,
    provisional_repo_id: Math.min(0, repoId(event, name)),
  };
}

/** The id that a name without one gets: the negative of the first 52 bits of its MD5. */
export function madeId(name: string): number {
  if (name === '') return 0;
  return -Number.parseInt(createHash('md5').update(name.toLowerCase()).digest('hex').slice(0, 13), 16);
}

const NEVER = '1970-01-01 00:00:00';

function whoAndWhere(event: Json): { name: string; login: string; createdAt: string } {
  const { actor, actor_attributes: attributes, repo, repository } = event;
  const login = typeof actor === 'string' ? actor : (object(actor).login ?? object(attributes).login ?? '');
  const api = object(repo).name;
  const timeline = repository === undefined ? '' : `${repository.owner}/${repository.name}`;
  const name = api === undefined || api === text('/') ? timeline : String(api);
  return { name, login: String(login), createdAt: time(event.created_at) ?? NEVER };
}

function repoId(event: Json, name: string): number {
  const payload = object(event.payload);
  const base = object(object(object(payload.pull_request).base).repo);
  return Number(
    object(event.repo).id ?? object(event.repository).id ?? payload.repository_id ?? base.id ?? madeId(name),
  );
}

function actorId(event: Json, login: string): number {
  const own = object(event.actor).id;
  if (own !== undefined) return Number(own);
  const payload = object(event.payload);
  const users = ['pull_request', 'issue', 'comment', 'review'].map((key) => object(object(payload[key]).user));
  const same = users.find((user) => String(user.login ?? '').toLowerCase() === login.toLowerCase() && number(user.id));
  return login === '' ? 0 : Number(same?.id ?? madeId(login));
}

function pushSizes(payload: Json): { push_size: number; push_distinct_size: number } {
  const shas = (payload.shas ?? []) as unknown as (readonly unknown[])[];
  return {
    push_size: Number(payload.size ?? shas.length),
    push_distinct_size: Number(payload.distinct_size ?? shas.filter((sha) => sha[4] !== false).length),
  };
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
