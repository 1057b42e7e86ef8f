import { HostError } from './host-error.js';
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
    followers: whole(told.followers),
    following: whole(told.following),
    public_repos: whole(told.public_repos),
    created_at: text(told.created_at),
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
    forks: whole(told.forks_count),
    stargazers_count: whole(told.stargazers_count),
    open_issues: whole(told.open_issues_count),
    subscribers_count: whole(told.subscribers_count),
    license: licenseOf(told.license),
    created_at: text(told.created_at),
    updated_at: text(told.updated_at),
    pushed_at: text(told.pushed_at),
  };
}

export function readFoundAccount(data: unknown): FoundAccount {
  return identity(object(data));
}

export function readFoundRepository(data: unknown): FoundRepository {
  const { id, full_name: fullName, default_branch: branch } = object(data);
  if (!isId(id) || typeof fullName !== 'string' || fullName === '') throw unreadable();
  return { id, fullName, defaultBranchRef: typeof branch === 'string' ? { name: branch } : null };
}

/** The items of a page of search results. */
export function readItems<Item>(data: unknown, read: (item: unknown) => Item): Item[] {
  const { items } = object(data);
  if (!Array.isArray(items)) throw unreadable();
  return items.map(read);
}

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

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** `NOASSERTION`: there is a license that the platform does not know. */
function licenseOf(license: unknown): string | null {
  return typeof license === 'object' && license !== null && 'spdx_id' in license ? text(license.spdx_id) : null;
}

function unreadable(): HostError {
  return new HostError('unreadable', 'The platform sent what cannot be read.');
}
