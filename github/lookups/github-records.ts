import { GitHubError } from '../client/github-error.js';
import type { AccountRecord, FoundAccount, FoundRepository, LicenseRecord, RepositoryRecord } from './records.js';

/**
 * Converts an account of GitHub's REST API. The exported functions for records throw `GitHubError` if the data do not have the expected
 * form.
 */
export function readAccount(data: unknown): AccountRecord {
  const fields = requireObject(data);
  return {
    ...readIdentity(fields),
    type: readText(fields.type),
    name: readText(fields.name),
    company: readText(fields.company),
    location: readText(fields.location),
    avatar_url: readText(fields.avatar_url),
    followers: readCount(fields.followers),
    following: readCount(fields.following),
    public_repos: readCount(fields.public_repos),
    created_at: readTime(fields.created_at),
    ...readTexts(fields, ['html_url']),
  };
}

export function readRepository(data: unknown): RepositoryRecord {
  const fields = requireObject(data);
  const owner = requireObject(fields.owner);
  const { id, fullName } = readFoundRepository(data);
  const { topics } = fields;
  return {
    id,
    full_name: fullName,
    name: fullName.slice(fullName.indexOf('/') + 1),
    owner: { ...readIdentity(owner), type: readText(owner.type), avatar_url: readText(owner.avatar_url) },
    description: readText(fields.description),
    language: readText(fields.language),
    forks: readCount(fields.forks_count),
    stargazers_count: readCount(fields.stargazers_count),
    open_issues: readCount(fields.open_issues_count),
    subscribers_count: readCount(fields.subscribers_count),
    license: readLicense(fields.license),
    created_at: readTime(fields.created_at),
    updated_at: readTime(fields.updated_at),
    pushed_at: readTime(fields.pushed_at),
    ...readTexts(fields, ['html_url', 'default_branch']),
    ...(Array.isArray(topics) && { topics: topics.filter((topic) => typeof topic === 'string') }),
  };
}

export function readFoundAccount(data: unknown): FoundAccount {
  return readIdentity(requireObject(data));
}

export function readFoundRepository(data: unknown): FoundRepository {
  const { id, full_name: fullName, default_branch: branch } = requireObject(data);
  if (!isId(id) || typeof fullName !== 'string' || !/^[^/]+\/[^/]+$/.test(fullName)) throw createUnreadableError();
  return { id, fullName, defaultBranchRef: typeof branch === 'string' ? { name: branch } : null };
}

/** Returns a non-empty text; null for an empty text and for other values. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns a count; null for other values and for values that exceed the column type. */
export function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT ? value : null;
}

/** Returns the time as `YYYY-MM-DDTHH:MM:SSZ`; null for other values and for years that some databases cannot store. */
export function readTime(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)) return null;
  const read = new Date(value);
  const isTime = !Number.isNaN(read.getTime()) && read.getUTCFullYear() >= 1000 && read.getUTCFullYear() <= 9999;
  return isTime ? `${read.toISOString().slice(0, 19)}Z` : null;
}

/** Returns a positive integer; null for other values. */
export function readId(value: unknown): number | null {
  return isId(value) ? value : null;
}

/** Converts the items of a page of search results. */
export function readItems<Item>(data: unknown, read: (item: unknown) => Item): Item[] {
  const { items } = requireObject(data);
  if (!Array.isArray(items)) throw createUnreadableError();
  return items.map(read);
}

/** The maximum of a column of type INT. */
const MAX_COUNT = 2 ** 31 - 1;

function readIdentity({ id, login }: Readonly<Record<string, unknown>>): FoundAccount {
  if (!isId(id) || typeof login !== 'string' || login === '') throw createUnreadableError();
  return { id, login };
}

function requireObject(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) throw createUnreadableError();
  return { ...data };
}

/** Whether the value is a valid GitHub id: a positive integer. */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function readLicense(license: unknown): LicenseRecord | null {
  if (typeof license !== 'object' || license === null) return null;
  const { key, spdx_id, url } = license as Readonly<Record<string, unknown>>;
  const known = licenseOf(readText(spdx_id));
  const ownKey = readText(key) ?? known?.key;
  if (ownKey === undefined) return null;
  const texts = readTexts({ ...license }, ['name']);
  return { spdx_id: null, ...known, key: ownKey, ...texts, ...(url !== undefined && { url: readText(url) }) };
}

/** Returns the license with an SPDX identifier, and its key on GitHub. */
export function licenseOf(spdxId: string | null): LicenseRecord | null {
  if (spdxId === null) return null;
  return { key: spdxId === 'NOASSERTION' ? 'other' : spdxId.toLowerCase(), spdx_id: spdxId };
}

/** Returns those of the members whose values are texts. */
function readTexts<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const texts = names.flatMap((name) => (readText(fields[name]) === null ? [] : [[name, fields[name]]]));
  return Object.fromEntries(texts) as Partial<Record<Name, string>>;
}

function createUnreadableError(): GitHubError {
  return new GitHubError('unreadable', 'GitHub sent an unreadable response.');
}
