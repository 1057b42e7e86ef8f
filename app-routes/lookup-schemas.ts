import type { JsonSchema } from '../engine/http/json-schema.js';
import { exactObject } from '../engine/http/json-schema.js';

const textOrNull = { type: ['string', 'null'] } as const;
const count = { type: 'integer', minimum: 0 } as const;
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

const pageUrl = {
  type: 'string',
  description: 'The page on GitHub. Absent if the source does not contain it.',
} as const;

export const ACCOUNT: JsonSchema = withOptional(['html_url'], 'Account', {
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
  html_url: pageUrl,
});

/** The members with GitHub's names. If a value is unknown, the member is absent and not null, because GitHub never returns null for it. */
const GITHUB_NAMES = {
  forks_count: { ...count, description: 'The same as `forks`. Absent if it is unknown.' },
  open_issues_count: { ...count, description: 'The same as `open_issues`. Absent if it is unknown.' },
  watchers_count: { ...count, description: 'The same as `stargazers_count`, as on GitHub. Absent if it is unknown.' },
  html_url: pageUrl,
  default_branch: { type: 'string', description: 'Absent if the source does not contain it.' },
  topics: { type: 'array', items: { type: 'string' }, description: 'Absent if the source does not contain them.' },
};

const LICENSE = {
  ...withOptional(['name', 'url'], 'License', {
    key: { type: 'string', description: 'The key of GitHub, for example `mit`.' },
    name: { type: 'string', description: 'Absent if the source does not contain it.' },
    spdx_id: { ...textOrNull, description: 'The SPDX identifier, for example `MIT`.' },
    url: { ...textOrNull, description: 'Absent if the source does not contain it.' },
  }),
  type: ['object', 'null'],
  description: 'Null if the repository has no license, and if it is unknown.',
};

export const REPOSITORY: JsonSchema = withOptional(Object.keys(GITHUB_NAMES), 'Repository', {
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
  license: LICENSE,
  created_at: timeOrNull,
  updated_at: timeOrNull,
  pushed_at: timeOrNull,
  ...GITHUB_NAMES,
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

/** Like `exactObject`, but some members are optional. */
function withOptional(
  optional: readonly string[],
  title: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    ...exactObject(title, properties),
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

function tenOf(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'array', maxItems: 10, items: exactObject(title, properties) };
}
