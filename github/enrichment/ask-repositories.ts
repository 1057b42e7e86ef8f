import type { CallOptions, HostClient } from '../client/github-client.js';
import { HostError } from '../client/github-error.js';
import { count, idOrNull, readRepository, text, time } from '../records/github-records.js';
import type { Ask, Candidate } from './ask.js';
import { byAliases, type Node } from './ask-graphql.js';
import { askEach, askOne } from './ask-one.js';
import type { ToldProfile } from './profile-target.js';

/** Asks the platform about repositories, by their names at once and then by their ids where those mean others now. */
export const askRepositories: Ask = async (client, candidates, options) => {
  const finder = ({ name }: Candidate) => {
    const slash = name.indexOf('/');
    return { field: 'repository', values: { owner: name.slice(0, slash), name: name.slice(slash + 1) } };
  };
  const nodes = await byAliases(candidates, finder, FIELDS, client, options);
  return askEach(candidates, async (candidate) => {
    const node = nodes.get(candidate.id);
    return node?.databaseId === candidate.id ? toProfile(node) : askById(client, candidate, options);
  });
};

const FIELDS = `
  databaseId nameWithOwner description diskUsage stargazerCount forkCount isFork isArchived createdAt pushedAt
  owner { __typename ... on User { databaseId } ... on Organization { databaseId } }
  primaryLanguage { name } licenseInfo { spdxId } parent { databaseId } latestRelease { publishedAt }`;

function toProfile(node: Node): ToldProfile {
  return {
    repo_id: node.databaseId ?? null,
    repo_name: text(node.nameWithOwner),
    owner_id: idOrNull(part(node, 'owner', 'databaseId')),
    owner_is_org: part(node, 'owner', '__typename') === 'Organization' ? 1 : 0,
    description: text(node.description) ?? '',
    primary_language: text(part(node, 'primaryLanguage', 'name')) ?? '',
    license: text(part(node, 'licenseInfo', 'spdxId')) ?? '',
    size: count(node.diskUsage),
    stars: count(node.stargazerCount),
    forks: count(node.forkCount),
    parent_repo_id: idOrNull(part(node, 'parent', 'databaseId')),
    is_fork: node.isFork === true ? 1 : 0,
    is_archived: node.isArchived === true ? 1 : 0,
    is_deleted: 0,
    latest_released_at: time(part(node, 'latestRelease', 'publishedAt')),
    pushed_at: time(node.pushedAt),
    created_at: time(node.createdAt),
  };
}

/** What was renamed and its name given to another, or is gone. */
async function askById(client: HostClient, { id }: Candidate, options: CallOptions): Promise<ToldProfile> {
  const reply = await askOne(client, 'GET /repositories/{id}', id, options);
  if (reply === 'declined') return { repo_id: id };
  if (reply.state !== 'found') return { repo_id: id, is_deleted: 1 };
  const repository = readRepository(reply.data);
  if (repository.id !== id) throw new HostError('unreadable', 'The platform answered about another repository.');
  return {
    repo_id: repository.id,
    repo_name: repository.full_name,
    owner_id: repository.owner.id,
    owner_is_org: repository.owner.type === 'Organization' ? 1 : 0,
    description: repository.description ?? '',
    primary_language: repository.language ?? '',
    license: repository.license ?? '',
    stars: repository.stargazers_count,
    forks: repository.forks,
    is_deleted: 0,
    pushed_at: repository.pushed_at,
    created_at: repository.created_at,
  };
}

function part(node: Node, key: string, of: string): unknown {
  const value = node[key];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[of] : undefined;
}
