import { MAX_FOUND, type NameSearch } from '../../warehouse/search.js';
import type { CachedAnswer, GitHubCache, GitHubRequest } from '../client/github-cache.js';
import { GitHubError } from '../client/github-error.js';
import { readAccount, readFoundAccount, readFoundRepository, readItems, readRepository } from './github-records.js';
import type { AccountRecord, FoundAccount, FoundRepository, RepositoryRecord } from './records.js';
import type { Stored, StoredRecords } from './stored-records.js';

/** The result of a lookup, with its source. */
export interface LookupResult<Data> {
  /** `host`: GitHub; `warehouse`: the tables of this service. */
  readonly source: 'host' | 'warehouse';
  /** Undefined if the source has no such record. */
  readonly data: Data | undefined;
  /** When the record was fetched from GitHub. Null if it is only known from events, or if the time is unknown. */
  readonly refreshedAt: string | null;
  /** Explains why the data is not from GitHub or is stale. */
  readonly notices: readonly string[];
  /** Milliseconds for which the result is fresh. */
  readonly freshMs: number;
}

/**
 * Finds people, organizations and repositories. They ask GitHub if a client is configured. If GitHub does not answer, they read the tables.
 * They reject with `GitHubError` if GitHub fails and the record is not in the tables, because it may exist on GitHub.
 */
export interface Lookups {
  repository(owner: string, name: string, signal?: AbortSignal): Promise<LookupResult<RepositoryRecord>>;
  repositoryOfId(id: number, signal?: AbortSignal): Promise<LookupResult<RepositoryRecord>>;
  account(login: string, signal?: AbortSignal): Promise<LookupResult<AccountRecord>>;
  accountOfId(id: number, signal?: AbortSignal): Promise<LookupResult<AccountRecord>>;
  organizationOfId(id: number, signal?: AbortSignal): Promise<LookupResult<AccountRecord>>;
  searchRepositories(keyword: string, signal?: AbortSignal): Promise<LookupResult<FoundRepository[]>>;
  searchUsers(keyword: string, signal?: AbortSignal): Promise<LookupResult<FoundAccount[]>>;
  searchOrganizations(keyword: string, signal?: AbortSignal): Promise<LookupResult<FoundAccount[]>>;
}

export interface LookupDependencies {
  /** The cache of GitHub's answers. If `github` is undefined, every lookup reads the tables. */
  readonly github: GitHubCache | undefined;
  readonly records: StoredRecords;
  readonly search: NameSearch;
}

export function createLookups({ github, records, search }: LookupDependencies): Lookups {
  const lookUpOne = <Data>(request: GitHubRequest<Data> | undefined, stored: () => Promise<Stored<Data> | undefined>) =>
    lookUp(github, request, async (failure) => {
      const known = await stored();
      if (known === undefined && failure !== undefined) throw failure;
      return { data: known?.record, refreshedAt: known?.refreshedAt ?? null };
    });
  const lookUpMany = async <Data>(request: GitHubRequest<Data[]> | undefined, stored: () => Promise<Data[]>) =>
    lookUp(github, request, async () => ({ data: await stored(), refreshedAt: null }));

  return {
    repository: (owner, name, signal) =>
      lookUpOne(repositoryRequest(owner, name), () => records.repository(owner, name, signal)),
    repositoryOfId: (id, signal) => lookUpOne(repositoryIdRequest(id), () => records.repositoryOfId(id, signal)),
    account: (login, signal) => lookUpOne(accountRequest(login), () => records.account(login, signal)),
    accountOfId: (id, signal) => lookUpOne(accountIdRequest(id), () => records.accountOfId(id, signal)),
    organizationOfId: async (id, signal) => {
      const result = await lookUpOne(accountIdRequest(id), () => records.accountOfId(id, signal));
      return result.data?.type === 'Organization' ? result : { ...result, data: undefined };
    },
    searchRepositories: async (keyword, signal) => {
      const result = await lookUpMany(repositorySearch(keyword), async () => {
        const found = await search.repositories(keyword, signal);
        return found.map((repository) => ({ ...repository, defaultBranchRef: null }));
      });
      return {
        ...result,
        data: rankMatches(keyword, result.data ?? [], ({ fullName }) => [fullName, repositoryNameOf(fullName)]),
      };
    },
    searchUsers: async (keyword, signal) => {
      const result = await lookUpMany(accountSearch(keyword, 'user'), () => search.users(keyword, signal));
      return { ...result, data: rankMatches(keyword, result.data ?? [], ({ login }) => [login]) };
    },
    searchOrganizations: async (keyword, signal) => {
      const result = await lookUpMany(accountSearch(keyword, 'org'), () => search.organizations(keyword, signal));
      return { ...result, data: rankMatches(keyword, result.data ?? [], ({ login }) => [login]) };
    },
  };
}

/** How long a result from the tables is fresh. The time is short, because every import changes the tables. */
const STORED_FRESH_MS = 60_000;

type ReadTables<Data> = (failure: GitHubError | undefined) => Promise<Pick<LookupResult<Data>, 'data' | 'refreshedAt'>>;

async function lookUp<Data>(
  github: GitHubCache | undefined,
  request: GitHubRequest<Data> | undefined,
  readTables: ReadTables<Data>,
): Promise<LookupResult<Data>> {
  const stored = { source: 'warehouse', freshMs: STORED_FRESH_MS } as const;
  if (github === undefined || request === undefined)
    return { ...stored, ...(await readTables(undefined)), notices: [] };
  try {
    return toResult(await github.fetch(request), github.freshMs);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const notices = [`${error.message} This answer is from the tables of this service.`];
    return { ...stored, ...(await readTables(error)), notices };
  }
}

function toResult<Data>({ value, fetchedAt, failure }: CachedAnswer<Data>, freshMs: number): LookupResult<Data> {
  const refreshedAt = fetchedAt.toISOString();
  const notices = failure === undefined ? [] : [`${failure.message} This answer of GitHub is from ${refreshedAt}.`];
  return { source: 'host', data: value, refreshedAt, notices, freshMs };
}

/**
 * Sorts matches: the exact match first, then names that begin with the keyword, then the others. The order within each group does not
 * change.
 */
function rankMatches<Item>(
  keyword: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
): Item[] {
  const wanted = keyword.trim().toLowerCase();
  const rankOf = (item: Item) => {
    const names = namesOf(item).map((name) => name.toLowerCase());
    if (names[0] === wanted) return 0;
    return names.some((name) => name.startsWith(wanted)) ? 1 : 2;
  };
  return [...items].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_FOUND);
}

function repositoryNameOf(fullName: string): string {
  return fullName.slice(fullName.indexOf('/') + 1);
}

/** Returns the request for a repository by name; undefined if a GitHub repository cannot have that name. */
function repositoryRequest(owner: string, repo: string): GitHubRequest<RepositoryRecord> | undefined {
  if (!isName(owner) || !isName(repo)) return undefined;
  return { route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo }, read: readRepository };
}

function repositoryIdRequest(id: number): GitHubRequest<RepositoryRecord> {
  return { route: 'GET /repositories/{id}', parameters: { id }, read: readRepository };
}

/** Returns the request for an account by login; undefined if a GitHub account cannot have that login. */
function accountRequest(username: string): GitHubRequest<AccountRecord> | undefined {
  if (!isName(username)) return undefined;
  return { route: 'GET /users/{username}', parameters: { username }, read: readAccount };
}

/** Returns the request for an account by id. The route finds people and organizations. */
function accountIdRequest(id: number): GitHubRequest<AccountRecord> {
  return { route: 'GET /user/{id}', parameters: { id }, read: readAccount };
}

/** Returns the request for repositories by a part of their name, or by `owner/` and a part; undefined if the owner is not a valid login. */
function repositorySearch(keyword: string): GitHubRequest<FoundRepository[]> | undefined {
  const [first = '', ...rest] = keyword.split('/');
  const [owner, words] = rest.length === 0 ? ['', first] : [first, rest.join(' ')];
  if (owner !== '' && !isName(owner)) return undefined;
  const q = [quoteKeyword(words), 'in:name', ...(owner === '' ? [] : [`user:${owner}`])].join(' ').trim();
  return searchRequest('repositories', q, 'stars', readFoundRepository);
}

function accountSearch(keyword: string, type: 'user' | 'org'): GitHubRequest<FoundAccount[]> {
  return searchRequest('users', `${quoteKeyword(keyword)} in:login type:${type}`.trim(), 'followers', readFoundAccount);
}

/**
 * The number of results to request from GitHub. The number is larger than the number of returned results, because `rankMatches` then moves
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

/** Quotes the keyword, because GitHub's search would otherwise read parts of it as qualifiers, for example `stars:>1`. */
function quoteKeyword(words: string): string {
  const plain = words.replace(/["\\]/g, ' ').trim();
  return plain === '' ? '' : `"${plain}"`;
}

/**
 * Whether a text can be a name on GitHub. `.` and `..` are rejected, because they would change the path of the URL. `[bot]` at the end is
 * allowed for the logins of bots.
 */
function isName(text: string): boolean {
  return /^[\w.-]+(\[bot\])?$/.test(text) && text !== '.' && text !== '..';
}
