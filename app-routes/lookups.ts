import { exactObject, type JsonSchema } from '../engine/http/json-schema.js';
import type { Operation, OperationRequest } from '../engine/http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem, type ProblemCode } from '../engine/http/problems/http-problem.js';
import type { ParameterDefinition } from '../engine/index.js';
import { GitHubError } from '../github/client/github-error.js';
import type { LookupResult, Lookups } from '../github/lookups/lookups.js';
import type { RepositoryRecord } from '../github/lookups/records.js';
import { REPOSITORY_PARAMETERS } from './repository-parameters.js';

const textOrNull = { type: ['string', 'null'] } as const;
const count = { type: 'integer', minimum: 0 } as const;
const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;
const id = {
  type: 'integer',
  description: 'The id on GitHub. A negative id is derived from the name, because the import found no real one.',
} as const;

/** The schema of the answer of a lookup; `data` is the schema of the found records. */
function lookupAnswer(title: string, data: JsonSchema): JsonSchema {
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

const FOUND_ACCOUNTS: JsonSchema = tenOf('FoundAccount', { id, login: { type: 'string' } });

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

const ACCOUNT_ANSWER = lookupAnswer('AccountAnswer', ACCOUNT);
const REPOSITORY_ANSWER = lookupAnswer('RepositoryAnswer', REPOSITORY);
const FOUND_ACCOUNTS_ANSWER = lookupAnswer('FoundAccountsAnswer', FOUND_ACCOUNTS);
const FOUND_REPOSITORIES_ANSWER = lookupAnswer('FoundRepositoriesAnswer', FOUND_REPOSITORIES);

/** Lookups of GitHub accounts and repositories: `/gh/…`. */
export function lookupOperations(lookups: Lookups): Operation[] {
  return [
    ...organizationOperations(lookups),
    ...repositoryOperations(lookups),
    ...userOperations(lookups),
    ...repositoryNameOperations(lookups),
  ];
}

function organizationOperations(lookups: Lookups): Operation[] {
  return [
    {
      ...oneOf('organization', ACCOUNT_ANSWER, { id: idOf('organization', 100014861) }, ({ parameters, signal }) =>
        lookups.organizationOfId(Number(parameters.id), signal),
      ),
      id: 'get-organization',
      path: '/gh/organizations/{id}/',
      summary: 'Returns the organization with an id',
    },
    {
      ...search('organizations', FOUND_ACCOUNTS_ANSWER, lookups.searchOrganizations),
      id: 'search-organizations',
      path: '/gh/organizations/search/',
    },
  ];
}

function repositoryOperations(lookups: Lookups): Operation[] {
  return [
    {
      ...search('repositories', FOUND_REPOSITORIES_ANSWER, lookups.searchRepositories),
      id: 'search-repos',
      path: '/gh/repos/search/',
    },
    {
      ...oneOf('repository', REPOSITORY_ANSWER, { id: idOf('repository', 620363776) }, ({ parameters, signal }) =>
        lookups.repositoryOfId(Number(parameters.id), signal).then(addGitHubNames),
      ),
      id: 'get-repository',
      path: '/gh/repositories/{id}/',
      summary: 'Returns the repository with an id',
    },
  ];
}

function userOperations(lookups: Lookups): Operation[] {
  return [
    {
      ...oneOf('user', ACCOUNT_ANSWER, { username: USERNAME }, ({ parameters, signal }) =>
        lookups.account(String(parameters.username), signal),
      ),
      id: 'get-user-by-username',
      path: '/gh/users/{username}/',
      summary: 'Returns the account with a login',
    },
    {
      ...oneOf('user', ACCOUNT_ANSWER, { id: idOf('account', 100014861) }, ({ parameters, signal }) =>
        lookups.accountOfId(Number(parameters.id), signal),
      ),
      id: 'get-user-by-id',
      path: '/gh/user/{id}/',
      summary: 'Returns the account with an id',
    },
    {
      ...search('users', FOUND_ACCOUNTS_ANSWER, lookups.searchUsers),
      id: 'search-users',
      path: '/gh/users/search/',
    },
  ];
}

/** The operations for the lookup of a repository by name. It is available at two paths. */
function repositoryNameOperations(lookups: Lookups): Operation[] {
  const repository = oneOf('repository', REPOSITORY_ANSWER, REPOSITORY_PARAMETERS, ({ parameters, signal }) =>
    lookups.repository(String(parameters.owner), String(parameters.repo), signal).then(addGitHubNames),
  );
  return [
    {
      ...repository,
      id: 'get-repo-by-name',
      path: '/gh/repos/{owner}/{repo}/',
      summary: 'Returns the repository with a name',
    },
    {
      ...repository,
      id: 'get-repo',
      path: '/gh/repo/{owner}/{repo}/',
      summary: 'Returns the repository with a name (alternative path)',
    },
  ];
}

/** Also adds the numbers under the names of GitHub's API, in which they are never null. */
function addGitHubNames(result: LookupResult<RepositoryRecord>): LookupResult<RepositoryRecord> {
  if (result.data === undefined) return result;
  const { forks, open_issues, stargazers_count } = result.data;
  const numbers = { forks_count: forks, open_issues_count: open_issues, watchers_count: stargazers_count };
  const known = Object.entries(numbers).filter(([, number]) => number !== null);
  return { ...result, data: { ...result.data, ...Object.fromEntries(known) } };
}

const COMMON = { access: 'open', method: 'get', tag: 'Lookups', limit: 'lookup' } as const;

const NOT_FOUND = {
  repository: 'repository_not_found',
  user: 'user_not_found',
  organization: 'organization_not_found',
} as const satisfies Record<string, ProblemCode>;

function oneOf<Data>(
  what: keyof typeof NOT_FOUND,
  answer: JsonSchema,
  parameters: Readonly<Record<string, ParameterDefinition>>,
  look: (request: OperationRequest) => Promise<LookupResult<Data>>,
) {
  return {
    ...COMMON,
    parameters,
    description: DATA_SOURCE,
    answer,
    errors: [NOT_FOUND[what], 'host_unavailable', ...DATABASE_ERRORS] as const,
    handle: async (request: OperationRequest) => {
      const started = performance.now();
      const looked = await look(request).catch((error: unknown) => explain(error, request.now));
      if (looked.data !== undefined) return { body: bodyOf(looked, request.now, performance.now() - started) };
      const name = Object.values(request.parameters).join('/');
      const source = looked.source === 'host' ? 'on GitHub' : 'in this data set';
      throw new HttpProblem(NOT_FOUND[what], `There is no ${what} ${name} ${source}.`);
    },
  };
}

function search<Data>(
  what: string,
  answer: JsonSchema,
  look: (keyword: string, signal: AbortSignal) => Promise<LookupResult<Data>>,
) {
  return {
    ...COMMON,
    parameters: { keyword: KEYWORD },
    summary: `Returns the ten best matching ${what} for a keyword`,
    description: `${SEARCH_ORDER} ${DATA_SOURCE}`,
    answer,
    errors: DATABASE_ERRORS,
    handle: async ({ parameters, signal, now }: OperationRequest) => {
      const started = performance.now();
      const looked = await look(String(parameters.keyword), signal);
      return { body: bodyOf(looked, now, performance.now() - started) };
    },
  };
}

function bodyOf<Data>({ freshMs, ...looked }: LookupResult<Data>, requestedAt: Date, ms: number) {
  const { source, refreshedAt, notices, data } = looked;
  const finishedAt = new Date(requestedAt.getTime() + Math.round(ms));
  const since = source === 'host' && refreshedAt !== null ? Date.parse(refreshedAt) : finishedAt.getTime();
  const expiresAt = new Date(Math.max(since + freshMs, finishedAt.getTime()));
  return { requestedAt, finishedAt, expiresAt, source, refreshedAt, notices, data };
}

function explain(error: unknown, now: Date): never {
  if (!(error instanceof GitHubError)) throw error;
  const seconds = error.retryAt && Math.max(1, Math.ceil((error.retryAt.getTime() - now.getTime()) / 1000));
  const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  const message = `${error.message} This data set does not contain it either, so its existence is not known.`;
  throw new HttpProblem('host_unavailable', message, { headers });
}

const DATA_SOURCE =
  'The data come from GitHub if the service has a token and GitHub answers, else from the tables of this service. ' +
  '`source` and `notices` report the origin. Values that the source does not contain are null.';

const SEARCH_ORDER =
  'Exact matches come first, then names that begin with the keyword, then other matches; each group is sorted by stars or ' +
  'followers. Matching ignores case.';

export const KEYWORD: ParameterDefinition = {
  in: 'query',
  type: 'string',
  required: true,
  minLength: 1,
  maxLength: 140,
  pattern: '^[^\\x00]*[^\\s\\x00][^\\x00]*$',
  description: 'The beginning of a name. For repositories also `owner/` and the beginning of a name.',
  example: 'amber',
};

const USERNAME: ParameterDefinition = {
  in: 'path',
  type: 'string',
  maxLength: 50,
  description: 'Login of a user, bot or organization; case does not matter.',
  example: 'amber-ibex',
};

function idOf(what: string, example: number): ParameterDefinition {
  return {
    in: 'path',
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `Id of the ${what} on GitHub.`,
    example,
  };
}
