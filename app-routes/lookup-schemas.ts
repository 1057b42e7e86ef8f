import type { JsonSchema } from '../http/json-schema.js';
import { exactObject } from '../http/json-schema.js';

const textOrNull = { type: ['string', 'null'] } as const;
const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;
const id = {
  type: 'integer',
  description: 'The id on GitHub; negative, and made from the name, where no imported event has it.',
} as const;

/** What every lookup answers around its data. */
export function lookupAnswer(title: string, data: JsonSchema): JsonSchema {
  return exactObject(title, {
    requestedAt: { type: 'string', format: 'date-time' },
    finishedAt: { type: 'string', format: 'date-time' },
    expiresAt: { type: 'string', format: 'date-time', description: 'Until when asking again gives the same.' },
    source: {
      type: 'string',
      enum: ['host', 'warehouse'],
      description: 'The GitHub API, or the tables of this service.',
    },
    refreshedAt: {
      ...timeOrNull,
      description: 'When the platform told it; null where only events did, and for names found in the tables.',
    },
    notices: {
      type: 'array',
      items: { type: 'string' },
      description: 'Why it is not from the platform, or not from now.',
    },
    data,
  });
}

export const ACCOUNT: JsonSchema = exactObject('Account', {
  id,
  login: { type: 'string' },
  type: { ...textOrNull, description: '`User`, `Organization` or `Bot`.' },
  name: textOrNull,
  company: textOrNull,
  location: { ...textOrNull, description: 'As its owner wrote it.' },
  avatar_url: textOrNull,
  followers: countOrNull,
  following: countOrNull,
  public_repos: countOrNull,
  created_at: timeOrNull,
});

export const REPOSITORY: JsonSchema = exactObject('Repository', {
  id,
  full_name: { type: 'string', description: '`owner/name`' },
  name: { type: 'string' },
  owner: exactObject('RepositoryOwner', {
    id: { ...id, type: ['integer', 'null'] },
    login: { type: 'string' },
    type: textOrNull,
    avatar_url: textOrNull,
  }),
  description: textOrNull,
  language: textOrNull,
  forks: countOrNull,
  stargazers_count: countOrNull,
  open_issues: countOrNull,
  subscribers_count: countOrNull,
  license: { ...textOrNull, description: 'SPDX identifier.' },
  created_at: timeOrNull,
  updated_at: timeOrNull,
  pushed_at: timeOrNull,
});

export const FOUND_ACCOUNTS: JsonSchema = tenOf('FoundAccount', { id, login: { type: 'string' } });

export const FOUND_REPOSITORIES: JsonSchema = tenOf('FoundRepository', {
  id,
  fullName: { type: 'string', description: '`owner/name`' },
  defaultBranchRef: {
    ...exactObject('BranchRef', { name: { type: 'string' } }),
    type: ['object', 'null'],
    description: 'The default branch; null where the source does not tell it.',
  },
});

function tenOf(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'array', maxItems: 10, items: exactObject(title, properties) };
}
