import type { JsonSchema } from '../http/json-schema.js';
import { exactObject } from '../http/json-schema.js';

const textOrNull = { type: ['string', 'null'] } as const;
const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;
const id = {
  type: 'integer',
  description: 'The id on GitHub. A negative id is derived from the name, because the import found no real one.',
} as const;

/** The schema of the answer of a lookup; `data` is the schema of the found records. */
export function lookupAnswer(title: string, data: JsonSchema): JsonSchema {
  return exactObject(title, {
    requestedAt: { type: 'string', format: 'date-time' },
    finishedAt: { type: 'string', format: 'date-time' },
    expiresAt: {
      type: 'string',
      format: 'date-time',
      description: 'Until then, the same lookup returns the same data.',
    },
    source: {
      type: 'string',
      enum: ['host', 'warehouse'],
      description: '`host`: the GitHub API. `warehouse`: the tables of this service.',
    },
    refreshedAt: {
      ...timeOrNull,
      description: 'When GitHub returned the data; null for data from events and for names found in the tables.',
    },
    notices: {
      type: 'array',
      items: { type: 'string' },
      description: 'Why the data do not come from GitHub, or are not current.',
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
  location: { ...textOrNull, description: 'The location as the owner of the account entered it.' },
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
    description: 'The default branch; null if the source does not contain it.',
  },
});

function tenOf(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'array', maxItems: 10, items: exactObject(title, properties) };
}
