import type { CallOptions, GitHubClient } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { readCount, readId, readRepository, readText, readTime } from '../lookups/github-records.js';
import type { RepositoryRecord } from '../lookups/records.js';
import type { Candidate, FetchProfiles } from './fetch-profiles.js';
import { fetchById, fetchNodes, mapInGroups, type Node } from './graphql-batch.js';
import type { Profile } from './profile-target.js';

/** Fetches repositories by name in one GraphQL query. Repositories whose name is now used by another repository are then fetched by id. */
export const fetchRepositories: FetchProfiles = async (client, candidates, options) => {
  const finder = ({ name }: Candidate) => {
    const slash = name.indexOf('/');
    return { field: 'repository', values: { owner: name.slice(0, slash), name: name.slice(slash + 1) } };
  };
  const nodes = await fetchNodes(candidates, finder, FIELDS, client, options);
  return mapInGroups(candidates, async (candidate) => {
    const node = nodes.get(candidate.id);
    return node?.databaseId === candidate.id ? toProfile(node) : fetchRepositoryById(client, candidate, options);
  });
};

const FIELDS = `
  databaseId nameWithOwner description diskUsage stargazerCount forkCount isFork isArchived createdAt pushedAt
  owner { __typename ... on User { databaseId } ... on Organization { databaseId } }
  primaryLanguage { name } licenseInfo { spdxId } parent { databaseId } latestRelease { publishedAt }`;

function toProfile(node: Node): Profile {
  return {
    repo_id: node.databaseId ?? null,
    repo_name: readText(node.nameWithOwner),
    owner_id: readId(readNested(node, 'owner', 'databaseId')),
    owner_is_org: readNested(node, 'owner', '__typename') === 'Organization' ? 1 : 0,
    description: readText(node.description) ?? '',
    primary_language: readText(readNested(node, 'primaryLanguage', 'name')) ?? '',
    license: readText(readNested(node, 'licenseInfo', 'spdxId')) ?? '',
    size: readCount(node.diskUsage),
    stars: readCount(node.stargazerCount),
    forks: readCount(node.forkCount),
    parent_repo_id: readId(readNested(node, 'parent', 'databaseId')),
    is_fork: node.isFork === true ? 1 : 0,
    is_archived: node.isArchived === true ? 1 : 0,
    is_deleted: 0,
    latest_released_at: readTime(readNested(node, 'latestRelease', 'publishedAt')),
    pushed_at: readTime(node.pushedAt),
    created_at: readTime(node.createdAt),
  };
}

/** Fetches a repository by id. This is necessary for deleted repositories, and for renamed repositories whose old name is in use again. */
async function fetchRepositoryById(client: GitHubClient, { id }: Candidate, options: CallOptions): Promise<Profile> {
  const reply = await fetchById(client, 'GET /repositories/{id}', id, options);
  if (reply === 'declined') return { repo_id: id };
  if (reply.state !== 'found') return { repo_id: id, is_deleted: 1 };
  const repository = readRepository(reply.data);
  if (repository.id !== id)
    throw new GitHubError('unreadable', 'GitHub returned another repository than the requested one.');
  return profileOf(repository);
}

/** Converts a repository from GitHub's REST API to a profile. */
export function profileOf(repository: RepositoryRecord): Profile {
  return {
    repo_id: repository.id,
    repo_name: repository.full_name,
    owner_id: repository.owner.id,
    owner_is_org: repository.owner.type === 'Organization' ? 1 : 0,
    description: repository.description ?? '',
    primary_language: repository.language ?? '',
    license: repository.license?.spdx_id ?? '',
    stars: repository.stargazers_count,
    forks: repository.forks,
    is_deleted: 0,
    pushed_at: repository.pushed_at,
    created_at: repository.created_at,
  };
}

function readNested(node: Node, key: string, nestedKey: string): unknown {
  const value = node[key];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[nestedKey] : undefined;
}
