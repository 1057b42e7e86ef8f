import type { Database } from '../../engine/index.js';
import type { CallOptions, GitHubClient } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { readAccount, readCount, readText, readTime } from '../lookups/github-records.js';
import { createAccountCandidates, createRepositoryCandidates } from './candidates.js';
import type { Enrichment } from './enrich.js';
import type { Candidate, FetchProfiles } from './fetch-profiles.js';
import { fetchRepositories } from './fetch-repositories.js';
import { findCountry } from './find-country.js';
import { type Gazetteer, loadGazetteer } from './gazetteer.js';
import { fetchById, fetchNodes, mapInGroups, type Node } from './graphql-batch.js';
import { type Profile, type ProfileTarget, REPOSITORIES, USERS } from './profile-target.js';

/** The tables that can be enriched, by the name that the command uses. */
export type EnrichmentKind = 'users' | 'repos';

export const TARGETS: Readonly<Record<EnrichmentKind, ProfileTarget>> = { users: USERS, repos: REPOSITORIES };

/** Creates the enrichment of a table from the database queries and GitHub requests for this table. */
export function createEnrichment(
  kind: EnrichmentKind,
  { database, ...parts }: Pick<Enrichment, 'store' | 'client' | 'complete'> & { readonly database: Database },
): Enrichment {
  const common = { ...parts, target: TARGETS[kind] };
  if (kind === 'users')
    return { ...common, fetchProfiles: fetchAccounts, candidates: createAccountCandidates(database) };
  return { ...common, fetchProfiles: fetchRepositories, candidates: createRepositoryCandidates(database) };
}

/** Returns a function that completes profiles: if a profile of an account has no country, derives the country from the location. */
export async function createProfileCompleter(kind: EnrichmentKind): Promise<(profile: Profile) => Profile> {
  if (kind === 'repos') return (profile) => profile;
  const gazetteer = await loadGazetteer();
  return (profile) => addCountry(profile, gazetteer);
}

function addCountry(profile: Profile, gazetteer: Gazetteer): Profile {
  const { location, country_code: given = null } = profile;
  if (typeof location !== 'string' || given !== null) return profile;
  return { ...profile, country_code: findCountry(location, gazetteer) ?? 'N/A' };
}

/** Fetches accounts by login in one GraphQL query. Accounts whose login has changed are then fetched by id. */
const fetchAccounts: FetchProfiles = async (client, candidates, options) => {
  const finder = ({ name }: Candidate) => ({ field: 'repositoryOwner', values: { login: name } });
  const nodes = await fetchNodes(candidates, finder, FIELDS, client, options);
  return mapInGroups(candidates, async (candidate) => {
    const node = nodes.get(candidate.id);
    return node?.databaseId === candidate.id ? toProfile(node) : fetchAccountById(client, candidate, options);
  });
};

const FIELDS = `
  __typename login
  ... on User {
    databaseId name company location createdAt
    followers { totalCount } following { totalCount } repositories(privacy: PUBLIC, ownerAffiliations: OWNER) { totalCount }
  }
  ... on Organization {
    databaseId name location createdAt
    repositories(privacy: PUBLIC) { totalCount }
  }`;

function toProfile(node: Node): Profile {
  return {
    id: node.databaseId ?? null,
    login: readText(node.login),
    type: readText(node.__typename),
    name: readText(node.name) ?? '',
    company: readText(node.company) ?? '',
    location: readText(node.location) ?? '',
    followers: readTotal(node.followers),
    following: readTotal(node.following),
    public_repos: readTotal(node.repositories),
    created_at: readTime(node.createdAt),
    is_deleted: 0,
  };
}

/**
 * Fetches an account by id. This is necessary for accounts that GraphQL does not return by login: renamed and deleted accounts, and bots.
 */
async function fetchAccountById(client: GitHubClient, { id }: Candidate, options: CallOptions): Promise<Profile> {
  const reply = await fetchById(client, 'GET /user/{id}', id, options);
  if (reply === 'declined') return { id };
  if (reply.state !== 'found') return { id, is_deleted: 1 };
  const account = readAccount(reply.data);
  if (account.id !== id) throw new GitHubError('unreadable', 'GitHub returned another account than the requested one.');
  const { login, type, name, company, location, followers, following, public_repos, created_at } = account;
  return {
    id,
    login,
    type,
    name: name ?? '',
    company: company ?? '',
    location: location ?? '',
    followers,
    following,
    public_repos,
    created_at,
    is_deleted: 0,
  };
}

function readTotal(value: unknown): number | null {
  return readCount((value as { totalCount?: unknown } | null | undefined)?.totalCount);
}
