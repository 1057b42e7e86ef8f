import type { GitHubRequest } from '../client/github-cache.js';
import {
  readAccount,
  readFoundAccount,
  readFoundRepository,
  readItems,
  readRepository,
} from '../records/github-records.js';
import type { AccountRecord, FoundAccount, FoundRepository, RepositoryRecord } from '../records/records.js';

/** The request for a repository by name; undefined if GitHub cannot have a repository of that name. */
export function repositoryRequest(owner: string, repo: string): GitHubRequest<RepositoryRecord> | undefined {
  if (!isName(owner) || !isName(repo)) return undefined;
  return { route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo }, read: readRepository };
}

export function repositoryIdRequest(id: number): GitHubRequest<RepositoryRecord> {
  return { route: 'GET /repositories/{id}', parameters: { id }, read: readRepository };
}

/** The request for an account by login; undefined if GitHub cannot have that login. */
export function accountRequest(username: string): GitHubRequest<AccountRecord> | undefined {
  if (!isName(username)) return undefined;
  return { route: 'GET /users/{username}', parameters: { username }, read: readAccount };
}

/** The route finds people and organizations. */
export function accountIdRequest(id: number): GitHubRequest<AccountRecord> {
  return { route: 'GET /user/{id}', parameters: { id }, read: readAccount };
}

/** The request for repositories by a part of their name, or by `owner/` and a part; undefined for an impossible owner. */
export function repositorySearch(keyword: string): GitHubRequest<FoundRepository[]> | undefined {
  const [first = '', ...rest] = keyword.split('/');
  const [owner, words] = rest.length === 0 ? ['', first] : [first, rest.join(' ')];
  if (owner !== '' && !isName(owner)) return undefined;
  const q = [quoteKeyword(words), 'in:name', ...(owner === '' ? [] : [`user:${owner}`])].join(' ').trim();
  return searchRequest('repositories', q, 'stars', readFoundRepository);
}

export function accountSearch(keyword: string, type: 'user' | 'org'): GitHubRequest<FoundAccount[]> {
  return searchRequest('users', `${quoteKeyword(keyword)} in:login type:${type}`.trim(), 'followers', readFoundAccount);
}

/** More than a search returns, because `lookups.ts` ranks names that begin with the keyword first. */
const PAGE_SIZE = 30;

function searchRequest<Item>(
  what: string,
  q: string,
  sort: string,
  read: (item: unknown) => Item,
): GitHubRequest<Item[]> {
  const parameters = { q, sort, order: 'desc', per_page: PAGE_SIZE };
  return { route: `GET /search/${what}`, parameters, read: (data) => readItems(data, read) };
}

/** Quotes the keyword. Without quotes it could contain qualifiers of GitHub's search, for example `stars:>1`. */
function quoteKeyword(words: string): string {
  const plain = words.replace(/["\\]/g, ' ').trim();
  return plain === '' ? '' : `"${plain}"`;
}

/** `.` and `..` would change the path of the URL. Names have no other characters; the logins of bots end in `[bot]`. */
function isName(text: string): boolean {
  return /^[\w.-]+(\[bot\])?$/.test(text) && text !== '.' && text !== '..';
}
