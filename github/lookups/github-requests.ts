import type { GitHubRequest } from '../client/github-cache.js';
import { readAccount, readFoundAccount, readFoundRepository, readItems, readRepository } from './github-records.js';
import type { AccountRecord, FoundAccount, FoundRepository, RepositoryRecord } from './records.js';

/** Returns the request for a repository by name; undefined if a GitHub repository cannot have that name. */
export function repositoryRequest(owner: string, repo: string): GitHubRequest<RepositoryRecord> | undefined {
  if (!isName(owner) || !isName(repo)) return undefined;
  return { route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo }, read: readRepository };
}

export function repositoryIdRequest(id: number): GitHubRequest<RepositoryRecord> {
  return { route: 'GET /repositories/{id}', parameters: { id }, read: readRepository };
}

/** Returns the request for an account by login; undefined if a GitHub account cannot have that login. */
export function accountRequest(username: string): GitHubRequest<AccountRecord> | undefined {
  if (!isName(username)) return undefined;
  return { route: 'GET /users/{username}', parameters: { username }, read: readAccount };
}

/** Returns the request for an account by id. Its route finds people and organizations. */
export function accountIdRequest(id: number): GitHubRequest<AccountRecord> {
  return { route: 'GET /user/{id}', parameters: { id }, read: readAccount };
}

/**
 * Returns the request for repositories by a part of their name, or by `owner/` and a part; undefined if the owner is
 * not a possible login.
 */
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

/**
 * The number of requested results. It is larger than the number of returned results, because `lookups.ts` then moves
 * names that begin with the keyword to the start.
 */
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

/**
 * Quotes the keyword. Without quotes, the keyword could contain qualifiers of GitHub's search, for example `stars:>1`.
 */
function quoteKeyword(words: string): string {
  const plain = words.replace(/["\\]/g, ' ').trim();
  return plain === '' ? '' : `"${plain}"`;
}

/**
 * Whether a text can be a name on GitHub. `.` and `..` are rejected, because they would change the path of the URL. The
 * logins of bots end in `[bot]`.
 */
function isName(text: string): boolean {
  return /^[\w.-]+(\[bot\])?$/.test(text) && text !== '.' && text !== '..';
}
