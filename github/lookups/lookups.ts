import { MAX_FOUND, type NameSearch } from '../../warehouse/search.js';
import type { HostCache, HostRequest, Told } from '../client/github-cache.js';
import { HostError } from '../client/github-error.js';
import type { AccountRecord, FoundAccount, FoundRepository, RepositoryRecord } from '../records/records.js';
import {
  accountIdRequest,
  accountRequest,
  accountSearch,
  repositoryIdRequest,
  repositoryRequest,
  repositorySearch,
} from './github-requests.js';
import type { Stored, StoredRecords } from './stored-records.js';

/** What a lookup found and where. */
export interface Looked<Data> {
  /** The platform's interface, or our tables. */
  readonly source: 'host' | 'warehouse';
  /** Undefined: the source says that there is no such thing. */
  readonly data: Data | undefined;
  /** When the platform told it; null where only events did, or where it is not known. */
  readonly refreshedAt: string | null;
  /** Why it is not from the platform, or not from now. */
  readonly notices: readonly string[];
  /** Milliseconds for which asking again gives the same. */
  readonly freshMs: number;
}

/**
 * People, organisations and repositories: from the platform when its interface is configured and answers, else from our
 * tables. Rejects with `HostError` when the platform fails and our tables do not have it: nobody knows then whether it is.
 */
export interface Lookups {
  repository(owner: string, name: string, signal?: AbortSignal): Promise<Looked<RepositoryRecord>>;
  repositoryOfId(id: number, signal?: AbortSignal): Promise<Looked<RepositoryRecord>>;
  account(login: string, signal?: AbortSignal): Promise<Looked<AccountRecord>>;
  accountOfId(id: number, signal?: AbortSignal): Promise<Looked<AccountRecord>>;
  organizationOfId(id: number, signal?: AbortSignal): Promise<Looked<AccountRecord>>;
  searchRepositories(keyword: string, signal?: AbortSignal): Promise<Looked<FoundRepository[]>>;
  searchUsers(keyword: string, signal?: AbortSignal): Promise<Looked<FoundAccount[]>>;
  searchOrganizations(keyword: string, signal?: AbortSignal): Promise<Looked<FoundAccount[]>>;
}

export interface LookupParts {
  /** Undefined: the platform is not asked. */
  readonly host: HostCache | undefined;
  readonly records: StoredRecords;
  readonly search: NameSearch;
}

export function createLookups({ host, records, search }: LookupParts): Lookups {
  const one = <Data>(request: HostRequest<Data> | undefined, stored: () => Promise<Stored<Data> | undefined>) =>
    lookUp(host, request, async (failure) => {
      const known = await stored();
      if (known === undefined && failure !== undefined) throw failure;
      return { data: known?.record, refreshedAt: known?.refreshedAt ?? null };
    });
  const several = async <Data>(request: HostRequest<Data[]> | undefined, stored: () => Promise<Data[]>) =>
    lookUp(host, request, async () => ({ data: await stored(), refreshedAt: null }));

  return {
    repository: (owner, name, signal) =>
      one(repositoryRequest(owner, name), () => records.repository(owner, name, signal)),
    repositoryOfId: (id, signal) => one(repositoryIdRequest(id), () => records.repositoryOfId(id, signal)),
    account: (login, signal) => one(accountRequest(login), () => records.account(login, signal)),
    accountOfId: (id, signal) => one(accountIdRequest(id), () => records.accountOfId(id, signal)),
    organizationOfId: async (id, signal) => {
      const looked = await one(accountIdRequest(id), () => records.accountOfId(id, signal));
      return looked.data?.type === 'Organization' ? looked : { ...looked, data: undefined };
    },
    searchRepositories: async (keyword, signal) => {
      const looked = await several(repositorySearch(keyword), async () => {
        const found = await search.repositories(keyword, signal);
        return found.map((repository) => ({ ...repository, defaultBranchRef: null }));
      });
      return { ...looked, data: best(keyword, looked.data ?? [], ({ fullName }) => [fullName, nameIn(fullName)]) };
    },
    searchUsers: async (keyword, signal) => {
      const looked = await several(accountSearch(keyword, 'user'), () => search.users(keyword, signal));
      return { ...looked, data: best(keyword, looked.data ?? [], ({ login }) => [login]) };
    },
    searchOrganizations: async (keyword, signal) => {
      const looked = await several(accountSearch(keyword, 'org'), () => search.organizations(keyword, signal));
      return { ...looked, data: best(keyword, looked.data ?? [], ({ login }) => [login]) };
    },
  };
}

/** Our tables change with every import. */
const STORED_FRESH_MS = 60_000;

type FromTables<Data> = (failure: HostError | undefined) => Promise<Pick<Looked<Data>, 'data' | 'refreshedAt'>>;

async function lookUp<Data>(
  host: HostCache | undefined,
  request: HostRequest<Data> | undefined,
  fromTables: FromTables<Data>,
): Promise<Looked<Data>> {
  const stored = { source: 'warehouse', freshMs: STORED_FRESH_MS } as const;
  if (host === undefined || request === undefined) return { ...stored, ...(await fromTables(undefined)), notices: [] };
  try {
    return fromHost(await host.ask(request), host.freshMs);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const notices = [`${error.message} This is what our tables have.`];
    return { ...stored, ...(await fromTables(error)), notices };
  }
}

function fromHost<Data>({ value, toldAt, failure }: Told<Data>, freshMs: number): Looked<Data> {
  const refreshedAt = toldAt.toISOString();
  const notices = failure === undefined ? [] : [`${failure.message} This is what it told at ${refreshedAt}.`];
  return { source: 'host', data: value, refreshedAt, notices, freshMs };
}

/** The keyword itself, then what begins with it, then the rest, each in the order of the source. */
function best<Item>(keyword: string, items: readonly Item[], namesOf: (item: Item) => readonly string[]): Item[] {
  const wanted = keyword.trim().toLowerCase();
  const rankOf = (item: Item) => {
    const names = namesOf(item).map((name) => name.toLowerCase());
    if (names[0] === wanted) return 0;
    return names.some((name) => name.startsWith(wanted)) ? 1 : 2;
  };
  return [...items].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_FOUND);
}

function nameIn(fullName: string): string {
  return fullName.slice(fullName.indexOf('/') + 1);
}
