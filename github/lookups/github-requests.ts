import type { HostRequest } from '../client/github-cache.js';
import {
  readAccount,
  readFoundAccount,
  readFoundRepository,
  readItems,
  readRepository,
} from '../records/github-records.js';
import type { AccountRecord, FoundAccount, FoundRepository, RepositoryRecord } from '../records/records.js';

/** Undefined for a name that nothing on the platform has, of which it is not asked. */
export function repositoryRequest(owner: string, repo: string): HostRequest<RepositoryRecord> | undefined {
  if (!isName(owner) || !isName(repo)) return undefined;
  return { route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo }, read: readRepository };
}

export function repositoryIdRequest(id: number): HostRequest<RepositoryRecord> {
  return { route: 'GET /repositories/{id}', parameters: { id }, read: readRepository };
}

/** Undefined for a name that nobody on the platform has, of which it is not asked. */
export function accountRequest(username: string): HostRequest<AccountRecord> | undefined {
  if (!isName(username)) return undefined;
  return { route: 'GET /users/{username}', parameters: { username }, read: readAccount };
}

/** Of people and organisations alike. */
export function accountIdRequest(id: number): HostRequest<AccountRecord> {
  return { route: 'GET /user/{id}', parameters: { id }, read: readAccount };
}

export function repositorySearch(keyword: string): HostRequest<FoundRepository[]> | undefined {
  const [first = '', ...rest] = keyword.split('/');
  const [owner, words] = rest.length === 0 ? ['', first] : [first, rest.join(' ')];
  if (owner !== '' && !isName(owner)) return undefined;
  const q = [quoted(words), 'in:name', ...(owner === '' ? [] : [`user:${owner}`])].join(' ').trim();
  return searchRequest('repositories', q, 'stars', readFoundRepository);
}

export function accountSearch(keyword: string, type: 'user' | 'org'): HostRequest<FoundAccount[]> {
  return searchRequest('users', `${quoted(keyword)} in:login type:${type}`.trim(), 'followers', readFoundAccount);
}

/** More than are shown, of which those that begin with the keyword are taken first. */
const PAGE_SIZE = 30;

function searchRequest<Item>(
  what: string,
  q: string,
  sort: string,
  read: (item: unknown) => Item,
): HostRequest<Item[]> {
  const parameters = { q, sort, order: 'desc', per_page: PAGE_SIZE };
  return { route: `GET /search/${what}`, parameters, read: (data) => readItems(data, read) };
}

/** The words as they are: without quotes they could carry qualifiers, such as `stars:>1`. */
function quoted(words: string): string {
  const plain = words.replace(/["\\]/g, ' ').trim();
  return plain === '' ? '' : `"${plain}"`;
}

/** `.` and `..` would be steps of a path; no name has other characters, and bots end in `[bot]`. */
function isName(text: string): boolean {
  return /^[\w.-]+(\[bot\])?$/.test(text) && text !== '.' && text !== '..';
}
