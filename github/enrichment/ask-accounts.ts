import type { CallOptions, HostClient } from '../client/github-client.js';
import { HostError } from '../client/github-error.js';
import { count, readAccount, text, time } from '../records/github-records.js';
import type { Ask, Candidate } from './ask.js';
import { byAliases, type Node } from './ask-graphql.js';
import { askEach, askOne } from './ask-one.js';
import type { ToldProfile } from './profile-target.js';

/** Asks the platform about accounts, by their logins at once and then by their ids where those have changed. */
export const askAccounts: Ask = async (client, candidates, options) => {
  const finder = ({ name }: Candidate) => ({ field: 'repositoryOwner', values: { login: name } });
  const nodes = await byAliases(candidates, finder, FIELDS, client, options);
  return askEach(candidates, async (candidate) => {
    const node = nodes.get(candidate.id);
    return node?.databaseId === candidate.id ? toProfile(node) : askById(client, candidate, options);
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

function toProfile(node: Node): ToldProfile {
  return {
    id: node.databaseId ?? null,
    login: text(node.login),
    type: text(node.__typename),
    name: text(node.name) ?? '',
    company: text(node.company) ?? '',
    location: text(node.location) ?? '',
    followers: total(node.followers),
    following: total(node.following),
    public_repos: total(node.repositories),
    created_at: time(node.createdAt),
    is_deleted: 0,
  };
}

/** Whoever has another login now, or has none, and bots, of which GraphQL knows nothing. */
async function askById(client: HostClient, { id }: Candidate, options: CallOptions): Promise<ToldProfile> {
  const reply = await askOne(client, 'GET /user/{id}', id, options);
  if (reply === 'declined') return { id };
  if (reply.state !== 'found') return { id, is_deleted: 1 };
  const account = readAccount(reply.data);
  if (account.id !== id) throw new HostError('unreadable', 'The platform answered about another account.');
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

function total(value: unknown): number | null {
  return count((value as { totalCount?: unknown } | null | undefined)?.totalCount);
}
