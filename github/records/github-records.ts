import { HostError } from '../client/github-error.js';
import type { AccountRecord, FoundAccount, FoundRepository, RepositoryRecord } from './records.js';

/** Records as the platform's REST interface tells them. Each throws `HostError` for what is none. */
export function readAccount(data: unknown): AccountRecord {
  const told = object(data);
  return {
    ...identity(told),
    type: text(told.type),
    name: text(told.name),
    company: text(told.company),
    location: text(told.location),
    avatar_url: text(told.avatar_url),
    followers: count(told.followers),
    following: count(told.following),
    public_repos: count(told.public_repos),
    created_at: time(told.created_at),
  };
}

export function readRepository(data: unknown): RepositoryRecord {
  const told = object(data);
  const owner = object(told.owner);
  const { id, fullName } = readFoundRepository(data);
  return {
    id,
    full_name: fullName,
    name: fullName.slice(fullName.indexOf('/') + 1),
    owner: { ...identity(owner), type: text(owner.type), avatar_url: text(owner.avatar_url) },
    description: text(told.description),
    language: text(told.language),
    forks: count(told.forks_count),
    stargazers_count: count(told.stargazers_count),
    open_issues: count(told.open_issues_count),
    subscribers_count: count(told.subscribers_count),
    license: licenseOf(told.license),
    created_at: time(told.created_at),
    updated_at: time(told.updated_at),
    pushed_at: time(told.pushed_at),
  };
}

export function readFoundAccount(data: unknown): FoundAccount {
  return identity(object(data));
}

export function readFoundRepository(data: unknown): FoundRepository {
  const { id, full_name: fullName, default_branch: branch } = object(data);
  if (!isId(id) || typeof fullName !== 'string' || !/^[^/]+\/[^/]+$/.test(fullName)) throw unreadable();
  return { id, fullName, defaultBranchRef: typeof branch === 'string' ? { name: branch } : null };
}

/** Null for what is no text, or an empty one. */
export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Null for what is no number of things, or more than any column holds. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT ? value : null;
}

/** `YYYY-MM-DDTHH:MM:SSZ`; null for what is no time, or none that every database holds. */
export function time(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)) return null;
  const read = new Date(value);
  const isTime = !Number.isNaN(read.getTime()) && read.getUTCFullYear() >= 1000 && read.getUTCFullYear() <= 9999;
  return isTime ? `${read.toISOString().slice(0, 19)}Z` : null;
}

/** Null for what is no id. */
export function idOrNull(value: unknown): number | null {
  return isId(value) ? value : null;
}

/** The items of a page of search results. */
export function readItems<Item>(data: unknown, read: (item: unknown) => Item): Item[] {
  const { items } = object(data);
  if (!Array.isArray(items)) throw unreadable();
  return items.map(read);
}

/** Of a column of type INT. */
const MAX_COUNT = 2 ** 31 - 1;

function identity({ id, login }: Readonly<Record<string, unknown>>): FoundAccount {
  if (!isId(id) || typeof login !== 'string' || login === '') throw unreadable();
  return { id, login };
}

function object(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) throw unreadable();
  return { ...data };
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** `NOASSERTION`: there is a license that the platform does not know. */
function licenseOf(license: unknown): string | null {
  return typeof license === 'object' && license !== null && 'spdx_id' in license ? text(license.spdx_id) : null;
}

function unreadable(): HostError {
  return new HostError('unreadable', 'The platform sent what cannot be read.');
}
